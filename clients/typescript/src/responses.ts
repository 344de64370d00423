import { hasKey } from './belonging.ts';
import type { Failure } from './errors.ts';
import { isAfterKeyCheck, ruleOf } from './rules.ts';
import type { Attempt } from './transport.ts';

/** Converts a response to the requested data, or to a description of the failure. */

/** Bytes in an ArrayBuffer, as DOM types require. Before TypeScript 5.7, Uint8Array is not generic. */
export type Bytes = ReturnType<Uint8ArrayConstructor['of']>;

export type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The body of a successful response. */
export type Success = Json & { readonly code: string; readonly data: Json };

/** Returns the body of a successful response. Any other response, such as a page from a proxy, is a failure. */
export async function readJson(response: Response, costs: boolean): Promise<Attempt<Success>> {
  const body = await bodyOf(response);
  if (response.status !== 200) return { failure: errorResponse(response, body, costs) };
  return isSuccess(body) ? { value: body } : { failure: unusable(response, costs) };
}

function isSuccess(body: Json): body is Success {
  return body['success'] === true && typeof body['code'] === 'string' && isObject(body['data']);
}

/** The first bytes of every PDF. */
export const PDF = '%PDF-';

/** Returns the bytes of a complete PDF. */
export async function readPdf(response: Response, costs: boolean): Promise<Attempt<Bytes>> {
  if (!isPdfResponse(response)) return notPdf(response, costs);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return startsPdf(bytes) ? { value: bytes } : { failure: unusable(response, costs) };
}

export const isPdfResponse = ({ status, headers }: Response): boolean =>
  status === 200 && (headers.get('Content-Type') ?? '').startsWith('application/pdf');

export const startsPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder().decode(bytes.subarray(0, PDF.length)) === PDF;

/** Describes a response that should be a PDF but is not. */
export async function notPdf(response: Response, costs: boolean): Promise<{ failure: Failure }> {
  const isError = response.status !== 200;
  return {
    failure: isError ? errorResponse(response, await bodyOf(response), costs) : unusable(response, costs),
  };
}

/** Returns the credits that a response cost. Undefined if the API does not say. */
export function creditsCharged({ headers }: Response): number | undefined {
  const text = headers.get('X-Credits-Charged') ?? '';
  return /^[0-9]+$/.test(text) ? Number(text) : undefined;
}

/** The requests that the API key may send. */
export interface RateLimit {
  /** Within the time after which all are available again. Undefined if the response does not say. */
  readonly limit: number | undefined;
  readonly remaining: number;
  /** Until all are available again. */
  readonly resetMs: number;
}

/** Undefined if the response does not say. */
export function rateLimitOf({ headers }: Response): RateLimit | undefined {
  const [, limit] = /;q=(\d+)/.exec(headers.get('RateLimit-Policy') ?? '') ?? [];
  const [, remaining, reset] = /;r=(\d+);t=(\d+)/.exec(headers.get('RateLimit') ?? '') ?? [];
  if (!remaining) return undefined;
  return {
    limit: limit === undefined ? undefined : Number(limit),
    remaining: Number(remaining),
    resetMs: Number(reset) * 1000,
  };
}

/** By their names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string>>;

export const headersOf = ({ headers }: Response): ResponseHeaders => Object.fromEntries(headers);

/** Whether a response is a free replay of a charged call. */
export const isReplay = ({ headers }: Response): boolean => headers.get('Idempotent-Replayed') === 'true';

/** Returns the body if it is an object, and an empty object otherwise. */
async function bodyOf(response: Response): Promise<Json> {
  const text = await response.text();
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

/** Describes an error response. */
function errorResponse(response: Response, body: Json, costs: boolean): Failure {
  const { status, headers } = response;
  const code = textOf(body['code']);
  const { reason, field, hint } = objectOf(body['error']);
  const { kind, retryable, mostRetries, charged: shown } = ruleOf(status, code, textOf(reason));
  const ofKey = costs ? chargedUnderKey(response) : undefined;
  const charged = ofKey ?? (costs ? chargedBy(response, body, shown) : false);
  return {
    kind,
    // Another server may repeat the request and its key in the message.
    message:
      (requestIdOf(body) !== undefined && textOf(body['message'])) ||
      `The HTTP ${status} response does not come from the API, but from a proxy or another server.`,
    code,
    status,
    requestId: requestIdOf(body) ?? headers.get('X-Request-Id') ?? undefined,
    reason: textOf(reason),
    field: textOf(field),
    hint: textOf(hint),
    retryable,
    mostRetries,
    charged,
    retryAfterMs: retryAfterMs(headers.get('Retry-After')),
    headers: headersOf(response),
    rateLimit: rateLimitOf(response),
    isAfterKeyCheck:
      ofKey !== undefined ||
      (charged === false && creditsCharged(response) === 0 && isAfterKeyCheck(code, textOf(reason))),
  };
}

/** Returns what the API says about all requests under the key of the call. */
function chargedUnderKey(response: Response): boolean | undefined {
  const text = hasKey(response) ? response.headers.get('Idempotency-Key-Charged') : null;
  return text === 'true' || (text === 'false' ? false : undefined);
}

/** Returns whether a credit was charged, as far as an error response shows. `shown` is what its code alone shows. */
function chargedBy(response: Response, body: Json, shown: boolean | undefined): boolean | undefined {
  // It may be a proxy's, or the response to a different request.
  if (!hasKey(response)) return isOfGateway(response, body) ? shown : undefined;
  if (response.status < 400) return undefined;
  // A free replay without its record shows that an earlier attempt was charged.
  if (isReplay(response)) return true;
  const credits = creditsCharged(response);
  if (credits !== undefined) return credits > 0 || shown;
  // The functions of the API always send the header, with a number or `unknown`. A response without it comes from a
  // component in front of them. If that response is a 5xx, a function may still have charged the call.
  return response.headers.has('X-Credits-Charged') || response.status >= 500 ? undefined : shown;
}

/**
 * Whether an error is API Gateway's own, and the request reached no function. Its errors have the envelope, but no time
 * and no X-Credits-Charged. A function's error whose key was removed has a time.
 */
function isOfGateway({ status, headers }: Response, body: Json): boolean {
  const hasNoTime = objectOf(body['meta'])['timestamp'] === '';
  return hasNoTime && status < 500 && !headers.has('X-Credits-Charged');
}

/** Describes a response with status 200 that is incomplete or does not come from the API. */
export function unusable(response: Response, costs: boolean): Failure {
  const { status, headers } = response;
  return {
    kind: 'transport',
    message: 'The response is incomplete or does not come from the API: check the base URL and any proxy.',
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    headers: headersOf(response),
    rateLimit: rateLimitOf(response),
    retryable: true,
    charged: costs ? undefined : false,
    mostRetries: Number.POSITIVE_INFINITY,
  };
}

export const requestIdOf = (body: Json): string | undefined => textOf(objectOf(body['meta'])['request_id']);

/** Reads Retry-After, which contains seconds or a date. Proxies also send fractions. */
function retryAfterMs(text: string | null): number | undefined {
  if (text === null) return undefined;
  const isDate = /[a-z]{3}/i.test(text);
  const ms = isDate ? Date.parse(text) - Date.now() : Number(/^\d+(?:\.\d+)?$/.exec(text.trim())?.[0]) * 1000;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
