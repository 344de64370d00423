import { type Middleware, RequestContext } from '../context.ts';
import type { ConsoleRoute, ConsoleRouteName } from './routes.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/** The field `data` of the envelope. */
export interface ConsoleResult {
  readonly data: unknown;
  /** Values of `Set-Cookie` headers. */
  readonly cookies?: readonly string[];
}

/** Instead of the envelope. */
export interface ConsoleFile {
  readonly file: { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array };
}

/** Without a session, the same for all callers, so caches may store it. */
export interface PublicResult {
  /** The field `data`, or a document of a different type. */
  readonly content: { readonly data: unknown } | { readonly contentType: string; readonly text: string };
  readonly maxAgeSeconds: number;
}

/** Status 303, from sign-in routes only. */
export interface Redirect {
  readonly location: string;
  readonly cookies?: readonly string[];
}

/** A request to the console. */
export class ConsoleContext extends RequestContext {
  readonly route: ConsoleRoute;
  /** A step of the sign-in, which the browser opens as a page: the response is not JSON. */
  readonly isSignIn: boolean;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** The cookie is no longer valid. */
  clearsCookie = false;
  /** The body, or the query string of a read. */
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
