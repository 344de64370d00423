import type { APIGatewayProxyEvent } from 'aws-lambda';
import { chain, type LambdaHandler } from '../chain.ts';
import { httpsOnly } from '../middleware/https-only.ts';
import { consoleFormat } from './console-format.ts';
import type { ConsoleContext, ConsoleMiddleware, PublicResult, Redirect } from './context.ts';
import { jsonBody } from './middleware/json-body.ts';
import { sameOrigin } from './middleware/same-origin.ts';
import type { CONSOLE_ROUTES, ConsoleRouteName } from './routes.ts';

export type RoutesOf<R> = {
  [N in ConsoleRouteName]: (typeof CONSOLE_ROUTES)[N]['roles'] extends R ? N : never;
}[ConsoleRouteName];
export type SignInRouteName = 'start-sign-in' | 'finish-sign-in';
export type PublicReadName = Exclude<RoutesOf<'public'>, SignInRouteName | 'sign-up'>;

/** docs/design/checks.md. `CONSOLE_ROUTES` says who may call the route. */
export function consoleChain(
  name: ConsoleRouteName,
  checks: readonly ConsoleMiddleware[],
  run: (requestContext: ConsoleContext, event: APIGatewayProxyEvent) => Promise<unknown>,
  nowMs: () => number = Date.now,
): LambdaHandler {
  return chain(consoleFormat(name, nowMs), [httpsOnly(), sameOrigin(), ...checks], run);
}

/** The browser opens its address and is redirected to the next one. */
export function signInRoute(
  name: SignInRouteName,
  run: (event: APIGatewayProxyEvent, requestContext: ConsoleContext) => Promise<Redirect>,
  nowMs?: () => number,
): LambdaHandler {
  return consoleChain(name, [], (requestContext, event) => run(event, requestContext), nowMs);
}

/** Uses no cookie, so its response is the same for all callers. */
export function publicRead(
  name: PublicReadName,
  run: (event: APIGatewayProxyEvent) => Promise<PublicResult>,
  nowMs?: () => number,
): LambdaHandler {
  return consoleChain(name, [jsonBody({})], (_, event) => run(event), nowMs);
}
