import type middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { Organisation } from '../../accounts/organisation.ts';
import type { RateDecision } from '../../accounts/rate-limit.ts';
import type { Recorder } from '../../audit/recorder.ts';
import type { Membership, Person, Session } from '../../members/rows.ts';
import type { SessionCookie } from '../../members/session.ts';
import type { SessionRows } from '../../members/session-check-table.ts';
import type { HttpResponse } from '../result.ts';
import type { ConsoleRoute, ConsoleRouteName } from './routes.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** A request, as a route for signed-in people receives it. */
export interface SignedInRequest {
  readonly requestId: string;
  /** When the function received the request, in epoch milliseconds. */
  readonly nowMs: number;
  /** The IP address from which the request was sent. */
  readonly address: string;
  readonly event: APIGatewayProxyEvent;
  readonly person: Person;
  readonly session: Session;
  /** The hash under which the session is stored. */
  readonly sessionHash: string;
  /** The session's organisation, and the person's membership in it. Absent if there is none. */
  readonly organisation?: Organisation | undefined;
  readonly membership?: Membership | undefined;
  /** Records changes as made by this member, with the action of the route. Throws on a route without an action. */
  readonly recorder: Recorder;
  /**
   * Throws RECENT_SIGN_IN_REQUIRED if the sign-in is more than 15 minutes old. For routes that need a recent one only
   * for live keys.
   */
  requireRecentSignIn(): void;
  /** Returns the `Set-Cookie` header that moves this session to another of the person's organisations. */
  cookieFor(organisationId: string | undefined): string;
}

/**
 * A request, as a route for members receives it. The organisation is the caller's own, and the role has been checked.
 */
export interface ConsoleRequest extends SignedInRequest {
  readonly organisation: Organisation;
  readonly membership: Membership;
}

/** The result of a route, once every check has passed: the field `data` of the envelope. */
export interface ConsoleResult {
  readonly data: unknown;
  /** Values of `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
}

/** A file to download, which a route returns instead of the envelope. */
export interface ConsoleFile {
  readonly file: { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array };
}

/** The response to a read without a session. It is the same for all callers, so caches may store it. */
export interface PublicResult {
  /** Either the field `data` of the envelope, or a document of a different type. */
  readonly content: { readonly data: unknown } | { readonly contentType: string; readonly text: string };
  readonly maxAgeSeconds: number;
}

/** A redirect with status 303. Only the sign-in routes return it. */
export interface Redirect {
  readonly location: string;
  readonly cookies?: readonly string[];
}

/** The session of a request, after it has been accepted. */
export interface SignedIn extends SessionRows {
  readonly cookie: SessionCookie;
  readonly session: Session;
  readonly person: Person;
}

/**
 * Reads what a route needs about the organisation in the cookie. The result is used only if the session is accepted.
 */
export type Prefetch<T> = (organisationId: string, event: APIGatewayProxyEvent) => Promise<T>;

/** The state of one request, which the middleware share on the Lambda context. */
export class ConsoleContext {
  readonly requestId: string;
  readonly name: ConsoleRouteName;
  readonly route: ConsoleRoute;
  /** Whether the route is a step of the sign-in, which the browser opens as a page. The response is then not JSON. */
  readonly isSignIn: boolean;
  readonly requestedAtMs: number;
  readonly nowMs: number;
  /** Headers of the response. */
  readonly headers: Record<string, string>;
  /** Whether the response removes the cookie, because it is no longer valid. */
  clearsCookie = false;
  /** The code of the response, and the service's own classification, for the log line. Never personal data. */
  code = '';
  detail = '';
  /** Whether the identity provider failed, or could not be reached. */
  isProviderFault = false;
  /** The parsed body or query. */
  input: unknown;
  /** The data that the route reads while the session is checked. */
  prefetched: Promise<unknown> = Promise.resolve(undefined);
  /** Whether the person is within their rate limit. Resolves when the limiter's row is written. */
  rate: Promise<RateDecision> | undefined;
  /**
   * Work that runs in parallel with the route. The response waits until it has ended, because Lambda freezes the
   * function after the response.
   */
  readonly pending: Promise<unknown>[] = [];
  #signedIn: SignedIn | undefined;

  constructor(
    start: Pick<ConsoleContext, 'requestId' | 'name' | 'route' | 'isSignIn' | 'requestedAtMs' | 'nowMs'>,
  ) {
    this.requestId = start.requestId;
    this.name = start.name;
    this.route = start.route;
    this.isSignIn = start.isSignIn;
    this.requestedAtMs = start.requestedAtMs;
    this.nowMs = start.nowMs;
    this.headers = {
      'X-Request-Id': start.requestId,
      'Cache-Control': 'no-store',
      ...SECURITY_HEADERS,
    };
  }

  /** Throws if it is read before the session is checked, because the chain is then in the wrong order. */
  get signedIn(): SignedIn {
    if (!this.#signedIn) throw new Error('No middleware of this chain has checked the session.');
    return this.#signedIn;
  }
  set signedIn(signedIn: SignedIn) {
    this.#signedIn = signedIn;
  }
  /** The session, if it has been accepted. */
  get knownSession(): SignedIn | undefined {
    return this.#signedIn;
  }
}

/** The output of a chain: the route's result, until the `respond` middleware converts it to the HTTP response. */
export type ConsoleResponse = ConsoleResult | ConsoleFile | PublicResult | Redirect | HttpResponse;

export type ConsoleLambdaContext = Context & { consoleContext: ConsoleContext };
export type ConsoleMiddleware = middy.MiddlewareObj<
  APIGatewayProxyEvent,
  ConsoleResponse,
  Error,
  ConsoleLambdaContext
>;
