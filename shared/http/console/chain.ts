import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as v from 'valibot';
import { auditRecorder, type Recorder } from '../../audit/recorder.ts';
import { newOperationId, newRequestId } from '../../core/ids.ts';
import { beginSubsegment } from '../../core/trace.ts';
import { memberActor } from '../../members/member-actor.ts';
import { rateLimit } from '../../members/middleware/rate-limit.ts';
import { recentSignIn, requireRecentSignIn } from '../../members/middleware/recent-sign-in.ts';
import { role } from '../../members/middleware/role.ts';
import { session } from '../../members/middleware/session.ts';
import { sessionCookieText, sessionHash } from '../../members/session.ts';
import type { LambdaHandler } from '../chains.ts';
import { httpsOnly } from '../middleware/https-only.ts';
import {
  ConsoleContext,
  type ConsoleFile,
  type ConsoleLambdaContext,
  type ConsoleMiddleware,
  type ConsoleRequest,
  type ConsoleResponse,
  type ConsoleResult,
  type Prefetch,
  type PublicResult,
  type Redirect,
  type SignedInRequest,
} from './context.ts';
import { sessionCookie } from './cookies.ts';
import { type ConsoleDependencies, consoleDependencies } from './dependencies.ts';
import { type InputOptions, type InputSchema, jsonBody } from './middleware/json-body.ts';
import { respond } from './middleware/respond.ts';
import { sameOrganisation } from './middleware/same-organisation.ts';
import { sameOrigin } from './middleware/same-origin.ts';
import { isConsoleFile, isConsoleResult, isPublicResult, isRedirect } from './responses.ts';
import { type CONSOLE_ROUTES, type ConsoleRouteName, consoleRouteOf } from './routes.ts';

/**
 * The chains of checks of the console (docs/architecture.md, "Order of checks of the console"). The row of a route in
 * `CONSOLE_ROUTES` says who may call it, and determines its chain.
 */

/** The names of the routes whose `roles` are `R`. */
type RoutesOf<R> = {
  [N in ConsoleRouteName]: (typeof CONSOLE_ROUTES)[N]['roles'] extends R ? N : never;
}[ConsoleRouteName];
export type SignInRouteName = 'start-sign-in' | 'finish-sign-in';
export type PublicReadName = Exclude<RoutesOf<'public'>, SignInRouteName>;
export type SignedInRouteName = RoutesOf<'signed-in'>;
export type MemberRouteName = RoutesOf<readonly string[]>;

/** The work of a route, once every check has passed. `input` is the parsed body, or the query string of a read. */
export type ConsoleRun<R extends SignedInRequest, S extends InputSchema, T> = (
  request: R,
  input: v.InferOutput<S>,
  prefetched: T,
) => Promise<ConsoleResult | ConsoleFile>;

export interface ConsoleRouteOptions<S extends InputSchema, T> extends InputOptions<S> {
  /**
   * Reads data about the organisation while the session is checked. The data is discarded if the session is rejected.
   * @default nothing
   */
  readonly prefetch?: Prefetch<T>;
}

/** An input without fields. */
type NoInput = v.StrictObjectSchema<Record<never, never>, undefined>;

/** Returns the handler of a route for members with the roles in its row. */
export function consoleRoute<S extends InputSchema = NoInput, T = undefined>(
  name: MemberRouteName,
  run: ConsoleRun<ConsoleRequest, S, T>,
  options: ConsoleRouteOptions<S, T> = {},
  deps: ConsoleDependencies = consoleDependencies(),
): LambdaHandler {
  const checks = [
    session(deps, options.prefetch),
    rateLimit(deps),
    sameOrganisation(),
    role(),
    recentSignIn(),
    jsonBody(options),
  ];
  return chain(name, checks, deps, async (consoleContext, event) => {
    const request = requestOf(consoleContext, event, recorderOf(consoleContext, event, deps));
    const { membership, organisation } = consoleContext.signedIn;
    if (!membership || !organisation) throw new Error(`The chain of ${name} has no role check.`);
    const prefetched = (await consoleContext.prefetched) as T;
    return run(
      { ...request, membership, organisation },
      consoleContext.input as v.InferOutput<S>,
      prefetched,
    );
  });
}

/**
 * Returns the handler of a route for all signed-in people, even those whose organisation is suspended or who have none.
 */
export function signedInRoute<S extends InputSchema = NoInput>(
  name: SignedInRouteName,
  run: ConsoleRun<SignedInRequest, S, undefined>,
  options: InputOptions<S> = {},
  deps: ConsoleDependencies = consoleDependencies(),
): LambdaHandler {
  const checks = [session(deps), rateLimit(deps), recentSignIn(), jsonBody(options)];
  return chain(name, checks, deps, (consoleContext, event) => {
    const request = requestOf(consoleContext, event, recorderOf(consoleContext, event, deps));
    return run(request, consoleContext.input as v.InferOutput<S>, undefined);
  });
}

/** Returns the handler of a step of the sign-in: the browser opens its address and is redirected to the next one. */
export function signInRoute(
  name: SignInRouteName,
  run: (event: APIGatewayProxyEvent, consoleContext: ConsoleContext) => Promise<Redirect>,
  nowMs: () => number = Date.now,
): LambdaHandler {
  return chain(name, [], { nowMs }, (consoleContext, event) => run(event, consoleContext));
}

/** Returns the handler of a read without a session. It uses no cookie, so its response is the same for all callers. */
export function publicRead(
  name: PublicReadName,
  run: (event: APIGatewayProxyEvent) => Promise<PublicResult>,
  nowMs: () => number = Date.now,
): LambdaHandler {
  return chain(name, [jsonBody({})], { nowMs }, (_, event) => run(event));
}

function chain(
  name: ConsoleRouteName,
  checks: readonly ConsoleMiddleware[],
  { nowMs }: Pick<ConsoleDependencies, 'nowMs'>,
  run: (
    consoleContext: ConsoleContext,
    event: APIGatewayProxyEvent,
  ) => Promise<ConsoleResult | ConsoleFile | PublicResult | Redirect>,
): LambdaHandler {
  const route = consoleRouteOf(name);
  const engine = middy<APIGatewayProxyEvent, ConsoleResponse, Error, ConsoleLambdaContext>();
  for (const middleware of [respond(), httpsOnly(), sameOrigin(), ...checks]) engine.use(middleware);
  engine.handler((event, { consoleContext }) => run(consoleContext, event));
  return async (event: APIGatewayProxyEvent, context: Context): Promise<APIGatewayProxyResult> => {
    const requestId = newRequestId();
    const requestedAtMs = event.requestContext.requestTimeEpoch;
    const isSignIn = name === 'start-sign-in' || name === 'finish-sign-in';
    const start = { requestId, name, route, isSignIn, requestedAtMs, nowMs: nowMs() };
    const consoleContext = new ConsoleContext(start);
    const endTrace = beginSubsegment(`console-${name}`);
    const response = await engine(event, Object.assign(context, { consoleContext }));
    await Promise.allSettled(consoleContext.pending);
    if (
      isConsoleResult(response) ||
      isConsoleFile(response) ||
      isPublicResult(response) ||
      isRedirect(response)
    )
      throw new Error(`The chain of ${name} ended without a response.`);
    const annotations = { request_id: requestId, route: `console-${name}`, code: consoleContext.code };
    await endTrace?.({ status: response.statusCode, fields: { annotations } });
    return response;
  };
}

function requestOf(
  consoleContext: ConsoleContext,
  event: APIGatewayProxyEvent,
  recorder: Recorder,
): SignedInRequest {
  const { requestId, nowMs, signedIn } = consoleContext;
  const { person, session: row, cookie, membership, organisation } = signedIn;
  return {
    requestId,
    nowMs,
    address: event.requestContext.identity.sourceIp,
    event,
    person,
    session: row,
    sessionHash: sessionHash(cookie.secret),
    membership,
    organisation,
    recorder,
    requireRecentSignIn: () => requireRecentSignIn(consoleContext),
    cookieFor: (organisationId) => sessionCookie(sessionCookieText({ ...cookie, organisationId })),
  };
}

/** Returns a request's recorder, which throws on a route without an action. */
function recorderOf(
  { name, route, requestId, nowMs, signedIn }: ConsoleContext,
  event: APIGatewayProxyEvent,
  { audit }: ConsoleDependencies,
): Recorder {
  // All changes in one request are recorded as one run.
  const commandId = newOperationId(nowMs);
  return {
    record(...changes) {
      if (!route.action) throw new Error(`The route ${name} has no action.`);
      const run = {
        actor: memberActor(signedIn.person.id),
        action: route.action,
        commandId,
        address: event.requestContext.identity.sourceIp,
        requestId,
      };
      return auditRecorder(audit(), run, () => nowMs).record(...changes);
    },
  };
}
