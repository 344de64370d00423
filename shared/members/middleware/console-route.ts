import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as v from 'valibot';
import { auditRecorder, type Recorder } from '../../audit/recorder.ts';
import { newOperationId } from '../../core/ids.ts';
import type { LambdaHandler } from '../../http/chain.ts';
import { consoleChain, type RoutesOf } from '../../http/console/chain.ts';
import type { ConsoleContext, ConsoleFile, ConsoleResult } from '../../http/console/context.ts';
import { sessionCookie } from '../../http/console/cookies.ts';
import type { NoInput } from '../../http/console/middleware/json-body.ts';
import { type InputOptions, type InputSchema, jsonBody } from '../../http/console/middleware/json-body.ts';
import { memberActor } from '../member-actor.ts';
import { sessionCookieText, sessionHash, sessionPage } from '../session.ts';
import { type ConsoleDependencies, consoleDependencies } from './dependencies.ts';
import type { ConsoleRequest, Prefetch, SignedInRequest } from './member-request.ts';
import { rateLimit } from './rate-limit.ts';
import { recentSignIn, requireRecentSignIn } from './recent-sign-in.ts';
import { role } from './role.ts';
import { samePage } from './same-page.ts';
import { PAGE, prefetchedData, session, signedIn } from './session.ts';

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

/** For members with the roles in the row of the route. */
export function consoleRoute<S extends InputSchema = NoInput, T = undefined>(
  name: MemberRouteName,
  run: ConsoleRun<ConsoleRequest, S, T>,
  options: ConsoleRouteOptions<S, T> = {},
  deps: ConsoleDependencies = consoleDependencies(),
): LambdaHandler {
  const checks = [
    session(deps, options.prefetch),
    rateLimit(deps),
    samePage('organisation'),
    role(),
    recentSignIn(),
    jsonBody(options),
  ];
  const handle = async (requestContext: ConsoleContext, event: APIGatewayProxyEvent) => {
    const request = requestOf(name, requestContext, event, deps);
    const { membership, organisation } = request;
    if (!membership || !organisation) throw new Error(`The chain of ${name} has no role check.`);
    const prefetched = (await prefetchedData.find(requestContext)?.promise) as T;
    const input = requestContext.input as v.InferOutput<S>;
    return run({ ...request, membership, organisation }, input, prefetched);
  };
  return consoleChain(name, checks, handle, deps.nowMs);
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
  const checks = [session(deps), rateLimit(deps), samePage('person'), recentSignIn(), jsonBody(options)];
  const handle = (requestContext: ConsoleContext, event: APIGatewayProxyEvent) =>
    run(requestOf(name, requestContext, event, deps), requestContext.input as v.InferOutput<S>, undefined);
  return consoleChain(name, checks, handle, deps.nowMs);
}

function requestOf(
  name: SignedInRouteName | MemberRouteName,
  requestContext: ConsoleContext,
  event: APIGatewayProxyEvent,
  deps: ConsoleDependencies,
): SignedInRequest {
  const { requestId, nowMs } = requestContext;
  const { person, session: row, cookie, membership, organisation } = signedIn.of(requestContext);
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
    recorder: recorderOf(name, requestContext, event, deps),
    requireRecentSignIn: () => requireRecentSignIn(requestContext),
    countMail: (kind) => deps.limiter.takeMail(person.id, kind, nowMs),
    cookieFor: (organisationId) => {
      const moved = { ...cookie, organisationId };
      requestContext.headers[PAGE] = sessionPage(moved);
      return sessionCookie(sessionCookieText(moved));
    },
  };
}

/** Returns a request's recorder, which throws on a route without an action. */
function recorderOf(
  name: SignedInRouteName | MemberRouteName,
  requestContext: ConsoleContext,
  event: APIGatewayProxyEvent,
  { audit }: ConsoleDependencies,
): Recorder {
  const { route, requestId, nowMs } = requestContext;
  // All changes in one request are recorded as one run.
  const commandId = newOperationId(nowMs);
  return {
    record(...changes) {
      if (!route.action) throw new Error(`The route ${name} has no action.`);
      const run = {
        actor: memberActor(signedIn.of(requestContext).person.id),
        action: route.action,
        commandId,
        address: event.requestContext.identity.sourceIp,
        requestId,
      };
      return auditRecorder(audit(), run, () => nowMs).record(...changes);
    },
  };
}
