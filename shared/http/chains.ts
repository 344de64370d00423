import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { ReadScope } from '../accounts/key-limits.ts';
import type { IdType } from '../core/id-types.ts';
import type { Dialect } from '../verifications/outcome-codes.ts';
import type { BodyReader } from '../verifications/requests.ts';
import { type RequestOfLookUp, verifyIdentity } from '../verifications/verify-identity.ts';
import { registryDeadlineMs } from '../wallets/operation.ts';
import type { Result } from './answers.ts';
import { type Exchange, type Middleware, need, type RouteContext } from './exchange.ts';
import { type AnswerOptions, answer } from './middleware/answer.ts';
import { apiKey } from './middleware/api-key.ts';
import { httpsOnly } from './middleware/https-only.ts';
import { idempotency } from './middleware/idempotency.ts';
import { jsonBody } from './middleware/json-body.ts';
import { keyAddress } from './middleware/key-address.ts';
import { operation } from './middleware/operation.ts';
import { organisation } from './middleware/organisation.ts';
import { rateLimit } from './middleware/rate-limit.ts';
import { scope } from './middleware/scope.ts';
import { subscription } from './middleware/subscription.ts';
import { wallet } from './middleware/wallet.ts';
import { type CallerParts, callerParts, type VerificationParts, verificationParts } from './parts.ts';

/**
 * The named chains: who may call a route is read off which of them it uses. Their order is the decisions page's
 * "Order of checks": the first that fails answers, and nothing after it runs.
 */
export type LambdaHandler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** What a route does once every check has passed. */
export type Run = (exchange: Exchange, event: APIGatewayProxyEvent) => Promise<Result>;

function chain(middlewares: readonly Middleware[], run: Run): LambdaHandler {
  const engine = middy<APIGatewayProxyEvent, unknown, Error, RouteContext>();
  for (const middleware of middlewares) engine.use(middleware);
  engine.handler((event, context) => run(context.exchange, event));
  return engine as unknown as LambdaHandler;
}

/** Anybody may call. */
export function publicRoute(name: string, run: Run): LambdaHandler {
  return chain([answer({ name, isKeyed: false }), httpsOnly()], run);
}

function callerChecks(options: AnswerOptions, parts: CallerParts): Middleware[] {
  return [answer(options), httpsOnly(), apiKey(parts), keyAddress(), rateLimit(parts), organisation()];
}

/** A key's holder may read what belongs to his organisation, if the key has the scope; nothing is charged. */
export function keyedRoute(
  name: string,
  wanted: ReadScope,
  run: Run,
  parts: CallerParts = callerParts(),
): LambdaHandler {
  return chain([...callerChecks({ name, isKeyed: true }, parts), scope(wanted)], run);
}

export interface VerificationRoute {
  /** The route's name, the same under every spelling of its address. */
  readonly name: string;
  readonly body: BodyReader;
  readonly dialect?: Dialect;
  /** The ID type of a dedicated route. */
  readonly idType?: IdType;
}

/** A charged look-up. `extra` checks come after the subscription; `run` asks the registry. */
export function chargedRoute(
  { name, body, ...options }: VerificationRoute,
  extra: readonly Middleware[],
  run: Run,
  parts: VerificationParts,
): LambdaHandler {
  const checks = [
    ...callerChecks({ name, isKeyed: true, ...options }, parts),
    jsonBody(body, parts.acceptTaxId),
    subscription(),
    operation(parts),
    ...extra,
    idempotency(name, parts),
    wallet(parts),
  ];
  return chain(checks, run);
}

/** A charged look-up whose answer is the record. */
export function verificationRoute(
  route: VerificationRoute,
  parts: VerificationParts = verificationParts(),
): LambdaHandler {
  const run: Run = (exchange) => {
    const { env } = need(exchange.caller, 'caller');
    return verifyIdentity(
      need(exchange.command, 'command'),
      env,
      lookUpOf(exchange, parts),
      parts.registries,
    );
  };
  return chargedRoute(route, [], run, parts);
}

/** What the registry port must know of this request: its label, when it stops waiting, and how the registries are. */
export function lookUpOf(
  { requestId, requestedAtMs, caller }: Exchange,
  { tools, registryTimeoutMs }: VerificationParts,
): RequestOfLookUp {
  const deadlineMs = registryDeadlineMs(requestedAtMs, tools.nowMs(), registryTimeoutMs);
  return { requestId, deadlineMs, registryStates: need(caller, 'caller').registryStates };
}
