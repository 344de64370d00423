import type { IdType } from './records.ts';
import type { RateLimit, ResponseHeaders } from './responses.ts';

/** The codes of the API, by the kind of error. Most kinds correspond to a class of the Python client. */
interface CodesOfKind {
  authentication:
    | 'INVALID_API_KEY'
    | 'INVALID_SIGNATURE'
    | 'AUTH_FAILURE'
    | 'UNAPPROVED_ORGANIZATION'
    | 'SUBSCRIPTION_REQUIRED';
  validation: 'INVALID_SCHEMA' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' | 'IDEMPOTENCY_KEY_REUSED';
  not_found:
    | `${IdType}_NOT_FOUND`
    | 'RECORD_NOT_FOUND'
    | 'VERIFICATION_LOG_NOT_FOUND'
    | 'VERIFICATION_NOT_FOUND'
    | 'INVOICE_NOT_FOUND'
    | 'TOP_UP_NOT_FOUND';
  verification_failed: `${IdType}_VERIFICATION_FAILED` | 'VERIFICATION_FAILED';
  insufficient_funds: 'INSUFFICIENT_FUNDS';
  rate_limit: 'RATE_LIMITED';
  in_progress: 'REQUEST_IN_PROGRESS';
  replay_exhausted: 'REPLAY_EXHAUSTED';
  service_unavailable: 'SERVICE_UNAVAILABLE' | 'OUTCOME_UNKNOWN';
  timeout: 'TIMEOUT';
  server: 'SERVER_ERROR';
  /** No connection, a broken one, or a response that is incomplete or does not come from the API. */
  transport: never;
  /** The caller's signal aborted the call. */
  aborted: never;
  other: 'HTTPS_REQUIRED' | 'ROUTE_NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'BILLING_INCOMPLETE';
}

export type ErrorKind = keyof CodesOfKind;
/** All error codes of the API. */
export type ErrorCode = CodesOfKind[ErrorKind];

interface ReasonsOfKind {
  validation:
    | 'missing_field'
    | 'unknown_field'
    | 'duplicate_field'
    | 'wrong_type'
    | 'wrong_format'
    | 'wrong_value'
    | 'too_long'
    | 'not_json'
    | 'not_an_object'
    | 'wrong_content_type'
    | 'wrong_content_encoding'
    | 'too_large'
    | 'different_request';
  not_found: 'no_record' | 'wrong_format' | 'not_verified';
  verification_failed: 'no_photo' | 'bank_code_required' | 'unknown_bank';
  insufficient_funds: 'insufficient_credits' | 'held';
  authentication:
    | 'missing_key'
    | 'malformed_key'
    | 'unknown_key'
    | 'missing_scope'
    | 'not_enabled'
    | 'not_approved'
    | 'wrong_signature';
  rate_limit:
    | 'rate_limit'
    | 'miss_limit'
    | 'organisation_miss_limit'
    | 'test_limit'
    | 'hold_limit'
    | 'top_up_limit';
  in_progress: 'in_progress';
  replay_exhausted: 'replay_exhausted';
  other: 'billing_incomplete';
}

/** Why the API rejects a request. */
export type ErrorReason = ReasonsOfKind[keyof ReasonsOfKind];

type ReasonOf<K> = K extends keyof ReasonsOfKind ? ReasonsOfKind[K] : never;

/** What is known about the charge of a call: not charged, charged, or unknown (`undefined`). */
export type Charged = boolean | undefined;

interface ErrorOf<K extends ErrorKind> extends Error {
  readonly name: 'IdentityError';
  readonly kind: K;
  /**
   * The API's code. Undefined if the error is not a response from the API. A newer service may send a code that these
   * types do not list: `kind` then depends on the status.
   */
  readonly code: CodesOfKind[K] | undefined;
  /** The HTTP status. Undefined if no response arrived. */
  readonly status: number | undefined;
  /** Quote it in support requests. */
  readonly requestId: string | undefined;
  /** Why the API rejected the request. */
  readonly reason: ReasonOf<K> | undefined;
  /** The field that the reason concerns, such as `params.id_number`. Empty if it concerns no single field. */
  readonly field: string | undefined;
  /** What to do about the error, as a sentence. */
  readonly hint: string | undefined;
  /** Whether the same call may succeed if you repeat it unchanged. */
  readonly retryable: boolean;
  /**
   * Whether a credit was charged under the idempotency key of the call. Unless it is false, repeat the call with the
   * same `idempotencyKey` to get the data without a second charge.
   */
  readonly charged: Charged;
  /** How long the API asks you to wait. */
  readonly retryAfterMs: number | undefined;
  /** Of the response, if one arrived. `console.log` does not print them. */
  readonly headers: ResponseHeaders | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** The key of the call. Undefined for calls that only read. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Any failure of a call. It is a union: `switch (error.kind)` is exhaustive, and a comparison of `error.code` narrows
 * the other fields.
 */
export type IdentityError = { [K in ErrorKind]: ErrorOf<K> }[ErrorKind];

/** The result of one failed attempt. */
export interface Failure {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly reason?: string | undefined;
  readonly field?: string | undefined;
  readonly hint?: string | undefined;
  readonly retryable: boolean;
  readonly charged: Charged;
  readonly retryAfterMs?: number | undefined;
  readonly headers?: ResponseHeaders | undefined;
  readonly rateLimit?: RateLimit | undefined;
  /** How often the client itself may retry after this failure. `maxRetries` also applies. */
  readonly mostRetries: number;
  /**
   * Whether the service had checked the idempotency key before it sent the error. `charged` then holds for all
   * attempts.
   */
  readonly isAfterKeyCheck?: boolean;
  /** The caller's reason for aborting the signal, or what `fetch` said of a failed connection. */
  readonly cause?: unknown;
}

/** The class of all failures, for `instanceof`. Only the client creates them. */
export const IdentityError = class extends Error {
  override readonly name = 'IdentityError';
  // Without `declare`, the bundle would define each of these fields before the constructor sets it.
  declare readonly kind: ErrorKind;
  declare readonly code: string | undefined;
  declare readonly status: number | undefined;
  declare readonly requestId: string | undefined;
  declare readonly reason: string | undefined;
  declare readonly field: string | undefined;
  declare readonly hint: string | undefined;
  declare readonly retryable: boolean;
  declare readonly charged: Charged;
  declare readonly retryAfterMs: number | undefined;
  declare readonly idempotencyKey: string | undefined;
  declare readonly headers: ResponseHeaders | undefined;
  declare readonly rateLimit: RateLimit | undefined;

  constructor(failure: Failure, charged: Charged, idempotencyKey: string | undefined) {
    const { kind, code, status, requestId, reason, field, hint, retryable, retryAfterMs, cause } = failure;
    const facts = [code, status && `HTTP ${status}`, requestId, charged === undefined && 'charge unknown'];
    const known = facts.filter(Boolean).join(', ');
    super(known ? `${failure.message} (${known})` : failure.message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.reason = reason;
    this.field = field;
    this.hint = hint;
    this.retryable = retryable;
    this.charged = charged;
    this.retryAfterMs = retryAfterMs;
    this.idempotencyKey = idempotencyKey;
    const { headers, rateLimit } = failure;
    Object.defineProperties(this, { headers: { value: headers }, rateLimit: { value: rateLimit } });
  }
} as unknown as {
  readonly prototype: IdentityError;
  new (failure: Failure, charged: Charged, idempotencyKey: string | undefined): IdentityError;
};
