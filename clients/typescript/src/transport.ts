import { foreign, isForeign } from './belonging.ts';
import { clock } from './clock.ts';
import type { Charged, Failure } from './errors.ts';
import { causeOf, failedConnection } from './failed-connection.ts';
import { onAbort } from './on-abort.ts';

export type Attempt<T> = { readonly value: T } | { readonly failure: Failure };

/** One HTTP request, without its API key. */
export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Whether the request may be charged. */
  readonly costs: boolean;
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How requests are sent. */
export interface Transport {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** It may retry on its own, which its last failure does not show. */
  readonly isFetchSupplied: boolean;
  readonly headers: Headers;
  readonly apiKey: string;
  readonly onResponse: (response: Response) => void;
}

/** Until the time limit, or the caller's abort. */
export async function send<T>(
  { baseUrl, fetch, isFetchSupplied, headers, apiKey, onResponse }: Transport,
  { method, path, headers: ownHeaders, body, costs, signal }: Request,
  limitMs: number,
  read: (response: Response) => Promise<Attempt<T>>,
): Promise<Attempt<T>> {
  const limit = new AbortController();
  let isOutOfTime = false;
  let isDiscarded = false;
  const stopTimer = clock.timer(Math.max(0, limitMs), () => {
    isOutOfTime = true;
    limit.abort();
  });
  const stopListening = onAbort(signal, () => limit.abort());
  try {
    const init: RequestInit = {
      method,
      headers: merged(headers, { ...ownHeaders, Authorization: `Bearer ${apiKey}` }),
      // A redirect may change a POST to a GET, or send the body to another host.
      redirect: 'manual',
      signal: limit.signal,
      ...(body !== undefined && { body }),
      // Some frameworks cache what fetch returns. Some platforms reject the setting.
      ...(globalThis.Request && 'cache' in Request.prototype && { cache: 'no-store' }),
    };
    const work = fetch(baseUrl + path, init).then((response) => {
      if (!isForeign(response, ownHeaders)) {
        onResponse(response);
        return read(response);
      }
      isDiscarded = true;
      return { failure: foreign(costs) };
    });
    // For a `fetch` that ignores its signal.
    return await Promise.race([work, untilAborted(limit.signal)]);
  } catch (thrown) {
    return { failure: interrupted(thrown, costs, signal, { isOutOfTime, isFetchSupplied }) };
  } finally {
    stopTimer();
    // Closes the connection, on platforms where aborting does.
    if (isDiscarded) limit.abort();
    stopListening();
  }
}

/** `own` takes precedence. */
function merged(headers: Headers, own: Readonly<Record<string, string>>): Headers {
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(own)) all.set(name, value);
  return all;
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

export function interrupted(
  thrown: unknown,
  costs: boolean,
  signal: AbortSignal | undefined,
  { isOutOfTime, isFetchSupplied } = { isOutOfTime: false, isFetchSupplied: false },
): Failure {
  const charged: Charged = costs ? undefined : false;
  const failure = { charged, retryable: true, mostRetries: Number.POSITIVE_INFINITY };
  if (signal?.aborted)
    return {
      ...failure,
      kind: 'aborted',
      message: 'The signal aborted the call.',
      mostRetries: 0,
      cause: signal.reason,
    };
  if (isOutOfTime) return { ...failure, kind: 'timeout', message: 'No complete response arrived in time.' };
  const connection = failedConnection(thrown);
  const cause = causeOf(thrown);
  if (connection) {
    const { message, isPermanent } = connection;
    return {
      ...failure,
      kind: 'transport',
      message: isFetchSupplied ? message : `${message} Nothing was sent.`,
      cause,
      ...(!isFetchSupplied && { charged: false }),
      ...(isPermanent && { retryable: false, mostRetries: 0 }),
    };
  }
  return {
    ...failure,
    kind: 'transport',
    message: 'The connection broke before a complete response arrived.',
    cause,
  };
}
