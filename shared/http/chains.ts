import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { ReadScope } from '../accounts/key-limits.ts';
import type { IdType } from '../core/id-types.ts';
import { registryDeadlineMs } from '../ledger/operation.ts';
import type { ErrorStyle } from '../verifications/outcome-codes.ts';
import type { BodyReader } from '../verifications/requests.ts';
import { type RequestOfLookUp, verifyIdentity } from '../verifications/verify-identity.ts';
import { type Middleware, type RequestContext, type RouteContext, required } from './context.ts';
import {
  type CallerDependencies,
  callerDependencies,
  type VerificationDependencies,
  verificationDependencies,
} from './dependencies.ts';
import { apiKey } from './middleware/api-key.ts';
import { httpsOnly } from './middleware/https-only.ts';
import { idempotency } from './middleware/idempotency.ts';
import { jsonBody } from './middleware/json-body.ts';
import { keyAddress } from './middleware/key-address.ts';
import { operation } from './middleware/operation.ts';
import { organisation } from './middleware/organisation.ts';
import { rateLimit } from './middleware/rate-limit.ts';
import { type RespondOptions, respond } from './middleware/respond.ts';
import { scope } from './middleware/scope.ts';
import { subscription } from './middleware/subscription.ts';
import { wallet } from './middleware/wallet.ts';
import type { Result } from './respond.ts';

/**
 * The named chains: who may call a route is read off which of them it uses. Their order is the decisions page's
 * "Order of checks": the first that fails answers, and nothing after it runs.
 */
export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** What a route does once every check has passed. */
export type Run = (requestContext: RequestContext, event: APIGatewayProxyEvent) => Promise<Result>;

function chain(middlewares: readonly Middleware[], run: Run): LambdaHandler {
  const engine = middy<APIGatewayProxyEvent, unknown, Error, RouteContext>();
  for (const middleware of middlewares) engine.use(middleware);
  engine.handler((event, context) => run(context.requestContext, event));
  return engine as unknown as LambdaHandler;
}

/** Anybody may call. */
export function publicRoute(name: string, run: Run): LambdaHandler {
  return chain([respond({ name, isKeyed: false }), httpsOnly()], run);
}

function callerChecks(options: RespondOptions, deps: CallerDependencies): Middleware[] {
  return [respond(options), httpsOnly(), apiKey(deps), keyAddress(), rateLimit(deps), organisation()];
}

/** A key's holder may read what belongs to his organisation, if the key has the scope; nothing is charged. */
export function keyedRoute(
  name: string,
  wanted: ReadScope,
  run: Run,
  deps: CallerDependencies = callerDependencies(),
): LambdaHandler {
  return chain([...callerChecks({ name, isKeyed: true }, deps), scope(wanted)], run);
}

export interface VerificationRoute {
  /** The route's name, the same under every spelling of its address. */
  readonly name: string;
  readonly body: BodyReader;
  readonly errorStyle?: ErrorStyle;
  /** The ID type of a dedicated route. */
  readonly idType?: IdType;
}

/** A charged look-up. `extra` checks come after the subscription; `run` asks the registry. */
export function chargedRoute(
  { name, body, ...options }: VerificationRoute,
  extra: readonly Middleware[],
  run: Run,
  deps: VerificationDependencies,
): LambdaHandler {
  const checks = [
    ...callerChecks({ name, isKeyed: true, ...options }, deps),
    jsonBody(body, deps.acceptTaxId),
    subscription(),
    operation(deps),
    ...extra,
    idempotency(name, deps),
    wallet(deps),
  ];
  return chain(checks, run);
}

/** A charged look-up whose answer is the record. */
export function verificationRoute(
  route: VerificationRoute,
  deps: VerificationDependencies = verificationDependencies(),
): LambdaHandler {
  const run: Run = (requestContext) => {
    const { env } = required(requestContext.caller, 'caller');
    return verifyIdentity(
      required(requestContext.command, 'command'),
      env,
      lookUpOf(requestContext, deps),
      deps.registries,
    );
  };
  return chargedRoute(route, [], run, deps);
}

/** What the registry port must know of this request: its label, when it stops waiting, and how the registries are. */
export function lookUpOf(
  { requestId, requestedAtMs, caller }: RequestContext,
  { tools, registryTimeoutMs }: VerificationDependencies,
): RequestOfLookUp {
  const deadlineMs = registryDeadlineMs(requestedAtMs, tools.nowMs(), registryTimeoutMs);
  return { requestId, deadlineMs, registryStates: required(caller, 'caller').registryStates };
}
