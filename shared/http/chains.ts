import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { apiKey } from '../accounts/middleware/api-key.ts';
import { keyAddress } from '../accounts/middleware/key-address.ts';
import { organisation } from '../accounts/middleware/organisation.ts';
import { type RateLimitOptions, rateLimit } from '../accounts/middleware/rate-limit.ts';
import { rejectedRequest } from '../accounts/middleware/rejected-request.ts';
import { type RouteScope, scope } from '../accounts/middleware/scope.ts';
import { subscription } from '../accounts/middleware/subscription.ts';
import { testTraffic } from '../accounts/middleware/test-traffic.ts';
import type { IdType } from '../core/id-types.ts';
import { idempotency } from '../ledger/middleware/idempotency.ts';
import { wallet } from '../ledger/middleware/wallet.ts';
import { registryDeadlineMs } from '../ledger/operation.ts';
import { limitResponse } from '../verifications/limit-response.ts';
import type { MatchRecord } from '../verifications/match-record.ts';
import { jsonBody } from '../verifications/middleware/json-body.ts';
import { operation } from '../verifications/middleware/operation.ts';
import type { ErrorStyle } from '../verifications/outcome-codes.ts';
import type { BodyReader } from '../verifications/requests.ts';
import { type LookUpContext, verifyIdentity } from '../verifications/verify-identity.ts';
import type { Middleware, RequestContext, RouteContext } from './context.ts';
import {
  type CallerDependencies,
  callerDependencies,
  type LookUpDependencies,
  type VerificationDependencies,
} from './dependencies.ts';
import { endInTime, endingInTime } from './end-in-time.ts';
import { httpsOnly } from './middleware/https-only.ts';
import { beginRequest, type RespondOptions, respond } from './middleware/respond.ts';
import { type ChainResponse, isResult, isVerification, type Result } from './result.ts';

/**
 * The chains of checks. A route's chain shows who may call it. The checks run in the documented order
 * (docs/architecture.md, "Order of checks"). The first one that fails determines the response, and no later check runs.
 */

export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The work of a route, once every check has passed. */
export type Run = (requestContext: RequestContext, event: APIGatewayProxyEvent) => Promise<Result>;

function chain(options: RespondOptions, checks: readonly Middleware[], run: Run): LambdaHandler {
  const engine = middy<APIGatewayProxyEvent, ChainResponse, Error, RouteContext>();
  for (const middleware of [respond(options), ...checks]) engine.use(middleware);
  engine.handler((event, { requestContext }) => run(requestContext, event));
  return async (event, context) => {
    const requestContext = beginRequest(event, options);
    const response = await engine(event, Object.assign(context, { requestContext }));
    if (isResult(response)) throw new Error(`The chain of ${options.name} ended without a response.`);
    return response;
  };
}

/** Returns the chain of a route that needs a key. Every check and the route itself have a time limit (`endInTime`). */
function keyedChain(
  options: Omit<RespondOptions, 'isKeyed'>,
  checks: readonly Middleware[],
  run: Run,
  { tools }: Pick<CallerDependencies, 'tools'>,
): LambdaHandler {
  const timedChecks = checks.map((check) => endingInTime(check, tools.nowMs));
  const timedRun: Run = (requestContext, event) =>
    endInTime(requestContext, { name: options.name, run: () => run(requestContext, event) }, tools.nowMs());
  return chain({ ...options, isKeyed: true }, timedChecks, timedRun);
}

/** Returns the handler of a route that needs no key. */
export function publicRoute(name: string, run: Run): LambdaHandler {
  return chain({ name, isKeyed: false }, [httpsOnly()], run);
}

function callerChecks(route: string, deps: CallerDependencies, limit: RateLimitOptions): Middleware[] {
  return [
    httpsOnly(),
    rejectedRequest(route, deps),
    apiKey(deps),
    keyAddress(deps),
    rateLimit(deps, limit),
    organisation(),
  ];
}

/**
 * Returns the handler of a route that charges no credits. The key needs the scope `wanted`. With `any`, it needs no
 * scope, because every customer may read the data.
 */
export function keyedRoute(
  name: string,
  wanted: RouteScope | 'any',
  run: Run,
  deps: CallerDependencies = callerDependencies(),
): LambdaHandler {
  const ofScope = wanted === 'any' ? [] : [scope(wanted)];
  return keyedChain({ name }, [...callerChecks(name, deps, { isLookUp: false }), ...ofScope], run, deps);
}

export interface VerificationRoute {
  /** The route's name, which is the same for all paths of the route. */
  readonly name: string;
  readonly body: BodyReader;
  readonly errorStyle?: ErrorStyle;
  /** The ID type of a dedicated route. */
  readonly idType?: IdType;
  /** Compares claimed details with the record. Required if the body may contain such details. */
  readonly matchRecord?: MatchRecord;
}

/** Checks that are specific to a route. */
interface ExtraChecks {
  /** Run right after the body is read. */
  readonly ofBody?: readonly Middleware[];
  /** Run once the price and the pseudonym of the number are known. */
  readonly ofOperation?: readonly Middleware[];
}

/** The work of a charged route for an identified caller. `run` calls the registry. */
export interface ChargedLookUp {
  readonly route: VerificationRoute;
  /** @default none */
  readonly extra?: ExtraChecks;
  readonly run: Run;
}

/** Returns the handler of a charged look-up for callers with an API key. */
export function chargedRoute(lookUp: ChargedLookUp, deps: VerificationDependencies): LambdaHandler {
  return chargedChain(lookUp, callerChecks(lookUp.route.name, deps, { isLookUp: true }), deps);
}

/**
 * Returns the handler of a charged look-up. The checks in `identify` set the caller. A result that is too large to send
 * becomes a failure before `wallet` charges it.
 */
export function chargedChain(
  { route: { body, ...options }, extra: { ofBody = [], ofOperation = [] } = {}, run }: ChargedLookUp,
  identify: readonly Middleware[],
  deps: LookUpDependencies,
): LambdaHandler {
  const checks = [
    ...identify,
    testTraffic(deps),
    jsonBody(body),
    ...ofBody,
    subscription(),
    operation(deps),
    ...ofOperation,
    idempotency(options.name, deps),
    wallet(deps),
  ];
  const limited: Run = async (requestContext, event) => {
    const result = await run(requestContext, event);
    return isVerification(result) ? limitResponse(result) : result;
  };
  return keyedChain(options, checks, limited, deps);
}

/** Returns the handler of a charged look-up that returns the record. */
export function verificationRoute(route: VerificationRoute, deps: VerificationDependencies): LambdaHandler {
  return chargedRoute(recordLookUp(route, deps), deps);
}

/** Returns a charged look-up that responds with the record, for use with `chargedRoute` or `chargedChain`. */
export function recordLookUp(route: VerificationRoute, deps: LookUpDependencies): ChargedLookUp {
  const { matchRecord } = route;
  const run: Run = (requestContext) => {
    const { command, caller } = requestContext;
    const context = { ...lookUpContext(requestContext, deps), matchRecord };
    return verifyIdentity(command, caller.env, context, deps.registries);
  };
  return { route, run };
}

/**
 * Returns what a look-up needs from its request: the ID, the deadline, the states of the registries, and the banks of
 * an account. Attempts are kept for the log and the metrics.
 */
export function lookUpContext(
  { requestId, requestedAtMs, caller, accountBanks, attempts }: RequestContext,
  { tools, registryTimeoutMs }: LookUpDependencies,
): LookUpContext {
  const deadlineMs = registryDeadlineMs(requestedAtMs, tools.nowMs(), registryTimeoutMs);
  return {
    requestId,
    deadlineMs,
    registryStates: caller.registryStates,
    accountBanks,
    onAttempt: (attempt) => void attempts.push(attempt),
  };
}
