import { type Middleware, RequestContext } from '../context.ts';
import type { ConsoleRoute, ConsoleRouteName } from './routes.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

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

/** A request to the console. */
export class ConsoleContext extends RequestContext {
  readonly route: ConsoleRoute;
  /** Whether the route is a step of the sign-in, which the browser opens as a page. The response is then not JSON. */
  readonly isSignIn: boolean;
  /** When the function received the request, in epoch milliseconds. */
  readonly nowMs: number;
  /** Whether the response removes the cookie, because it is no longer valid. */
  clearsCookie = false;
  /** The parsed body, or the query string of a read. */
  input: unknown;

  constructor(
    name: ConsoleRouteName,
    start: Pick<ConsoleContext, 'requestId' | 'requestedAtMs' | 'route' | 'nowMs'>,
  ) {
    const { requestId, requestedAtMs, route, nowMs } = start;
    const headers = { 'X-Request-Id': requestId, 'Cache-Control': 'no-store', ...SECURITY_HEADERS };
    super({ requestId, requestedAtMs, headers });
    this.route = route;
    this.isSignIn = name === 'start-sign-in' || name === 'finish-sign-in';
    this.nowMs = nowMs;
  }
}

export type ConsoleMiddleware = Middleware<ConsoleContext>;
