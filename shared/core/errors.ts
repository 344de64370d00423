import type { IdType } from './id-types.ts';

/**
 * The catalogue of all error codes. Sources: specification "Errors", contract C4 to C9. Tests compare the docs, the
 * OpenAPI document and our clients with it.
 */

export interface CatalogueEntry {
  readonly status: number;
  /** The public message. It never contains identity data, a key, or the name of an internal component. */
  readonly message: string;
  /** Whether the same request may succeed if it is sent again. `later`: after Retry-After or a backoff. */
  readonly retry: 'no' | 'once' | 'later';
  /**
   * Whether the request was charged. `unknown`: a retry under the same Idempotency-Key shows whether it was, without
   * a second charge.
   */
  readonly charged: 'no' | 'unknown';
  /** Unless the error has more specific ones. */
  readonly details?: ErrorDetails;
}

function entry(
  status: number,
  message: string,
  retry: CatalogueEntry['retry'] = 'no',
  charged: CatalogueEntry['charged'] = 'no',
): CatalogueEntry {
  return { status, message, retry, charged };
}

/** A rejection that is not about a field of the request. */
function rejection(
  status: number,
  reason: ErrorReason,
  problem: string,
  hint: string,
  retry: CatalogueEntry['retry'] = 'no',
): CatalogueEntry {
  return { ...entry(status, `${problem} ${hint}`, retry), details: { reason, field: '', hint } };
}

const UNUSABLE_KEY =
  'The API key is missing or not valid (for example malformed, expired or revoked). Send a valid key as "Authorization: Bearer <API key>".';

/** The hint of an error with Retry-After. */
export const WAIT = 'Wait for the number of seconds in Retry-After, then retry.';

const GENERAL = {
  HTTPS_REQUIRED: entry(403, 'Use HTTPS. Plain HTTP requests are rejected.'),
  INVALID_API_KEY: entry(401, UNUSABLE_KEY),
  INVALID_SIGNATURE: rejection(
    401,
    'wrong_signature',
    'The signature of the message is missing or not valid.',
    'Send the body unchanged, signed with the secret key.',
  ),
  AUTH_FAILURE: entry(401, UNUSABLE_KEY),
  UNAPPROVED_ORGANIZATION: rejection(
    401,
    'not_approved',
    'The organisation is not approved for live access, or it is suspended.',
    'Complete its profile in the account console, or ask the operator.',
  ),
  SUBSCRIPTION_REQUIRED: rejection(
    401,
    'not_enabled',
    'The requested service is not enabled for this organisation.',
    'Enable it under Services in the account console, or ask the operator.',
  ),
  RATE_LIMITED: rejection(429, 'rate_limit', 'Too many requests.', WAIT, 'later'),
  UNSUPPORTED_MEDIA_TYPE: entry(415, 'Send the body as UTF-8 JSON with "Content-Type: application/json".'),
  PAYLOAD_TOO_LARGE: entry(413, 'The request body is larger than 4,096 bytes.'),
  INVALID_SCHEMA: entry(400, 'The request body does not match the documented schema.'),
  INSUFFICIENT_FUNDS: rejection(
    402,
    'insufficient_credits',
    'The wallet balance does not cover this request.',
    'Top up the wallet.',
  ),
  VERIFICATION_FAILED: entry(
    400,
    'The registry returned an error or an unusable record for this number. Retry once, then contact support with the request ID.',
    'once',
  ),
  RECORD_NOT_FOUND: entry(404, 'The registry has no record for this number. Check the number.'),
  VERIFICATION_LOG_NOT_FOUND: entry(
    404,
    'Your organisation has not verified this NIN in this environment (live or test). Verify it first, then download its slip.',
  ),
  VERIFICATION_NOT_FOUND: entry(404, 'There is no verification with this request ID.'),
  INVOICE_NOT_FOUND: entry(404, 'Your organisation has no document with this number in this environment.'),
  TOP_UP_NOT_FOUND: entry(404, 'Your organisation has no top-up with this reference in this environment.'),
  ROUTE_NOT_FOUND: entry(404, 'No route matches this path. The OpenAPI document is at /v1/openapi.json.'),
  METHOD_NOT_ALLOWED: entry(
    405,
    'This path does not accept the HTTP method of the request. Use one of the methods in the Allow header.',
  ),
  REQUEST_IN_PROGRESS: rejection(
    409,
    'in_progress',
    'A request with this Idempotency-Key is in progress.',
    WAIT,
    'later',
  ),
  REPLAY_EXHAUSTED: rejection(
    409,
    'replay_exhausted',
    'The request with this Idempotency-Key cannot be repeated: its free replays are used up or expired, or its data was erased.',
    'Use a new key: the new request is charged if a record is found.',
  ),
  BILLING_INCOMPLETE: rejection(
    409,
    'billing_incomplete',
    'Credits cannot be bought yet: your organisation has no billing details, or no price is set.',
    'Enter the billing details in the account console, or ask the operator.',
  ),
  IDEMPOTENCY_KEY_REUSED: rejection(
    422,
    'different_request',
    'This Idempotency-Key belongs to a different request.',
    'Use a new key for each new request.',
  ),
  SERVICE_UNAVAILABLE: entry(
    503,
    'The registry or part of this service is unavailable at the moment. Retry with exponential backoff.',
    'later',
  ),
  OUTCOME_UNKNOWN: entry(
    503,
    'It is not known whether this request was charged. If you sent an Idempotency-Key, retry with the same key: you are not charged twice.',
    'later',
    'unknown',
  ),
  TIMEOUT: entry(504, 'The registry did not respond in time. Retry once after a short delay.', 'once'),
  SERVER_ERROR: entry(
    500,
    'An unexpected error occurred on our side. Retry once, then contact support with the request ID.',
    'once',
  ),
};

type GeneralCode = keyof typeof GENERAL;
export type ErrorCode = GeneralCode | `${IdType}_NOT_FOUND` | `${IdType}_VERIFICATION_FAILED`;
export type SuccessCode = `${IdType}_VERIFIED`;

/** The two codes that each ID type has on its dedicated routes (contract C5). */
function codesOf<T extends IdType>(idType: T) {
  return {
    [`${idType}_NOT_FOUND`]: { ...GENERAL.RECORD_NOT_FOUND, status: 400 },
    [`${idType}_VERIFICATION_FAILED`]: GENERAL.VERIFICATION_FAILED,
  } as Record<`${T}_NOT_FOUND` | `${T}_VERIFICATION_FAILED`, CatalogueEntry>;
}

export const CATALOGUE: Readonly<Record<ErrorCode, CatalogueEntry>> = {
  ...GENERAL,
  ...codesOf('NIN'),
  ...codesOf('BVN'),
  ...codesOf('CAC'),
  ...codesOf('TIN'),
  ...codesOf('NUBAN'),
};

/** Codes that only the account console returns (docs/operate/console.md, "Errors"). Callers of the API never receive them. */
export const CONSOLE_CATALOGUE = {
  SIGN_IN_REQUIRED: entry(401, 'You are signed out. Sign in to continue.'),
  SIGN_IN_FAILED: entry(400, 'The sign-in was not completed. Try again.'),
  RECENT_SIGN_IN_REQUIRED: entry(
    403,
    'This action needs a sign-in that is at most 15 minutes old. Sign in again, then repeat it.',
  ),
  CROSS_SITE_REQUEST: entry(
    403,
    'This request did not come from a page of the console. Reload the page, then try again.',
  ),
  ORGANISATION_REQUIRED: entry(
    403,
    'You are not a member of an organisation. Create one, or open an invitation link.',
  ),
  ORGANISATION_SUSPENDED: entry(403, 'The organisation is suspended. Contact support.'),
  ROLE_REQUIRED: entry(
    403,
    'Your role does not permit this. Ask an owner or administrator of the organisation.',
  ),
  RESOURCE_NOT_FOUND: entry(404, 'This was not found. It may have been removed. Reload the page.'),
  CHANGED_MEANWHILE: entry(
    409,
    'Someone else changed this in the meantime. Reload it, then repeat your change.',
  ),
  BVN_BASIS_NEEDED: entry(
    409,
    'Only institutions with a licence or an exception of the Central Bank may use BVN data. Send yours to the operator, who enables the services.',
  ),
  LAST_OWNER: entry(409, 'An organisation needs an owner. Make another member an owner first.'),
  ALREADY_MEMBER: entry(409, 'This person is already a member of the organisation.'),
  INVITATION_NOT_USABLE: entry(
    409,
    'This invitation was used or cancelled, has expired, or is for another email address. Ask for a new one.',
  ),
  ORGANISATION_LIMIT_REACHED: entry(
    409,
    'You are an owner of five organisations, which is the limit. Contact support if you need another one.',
  ),
  INVITATION_LIMIT_REACHED: entry(
    429,
    'An organisation can have at most 20 open invitations, and send at most 50 a day. An address can receive at most 5 a day, and 3 from organisations that are not approved. Cancel an open invitation, or try again tomorrow.',
  ),
  LABEL_TAKEN: entry(
    409,
    'Two active keys have this label. Choose another label, or revoke one of them first.',
  ),
  KEY_LIMIT_REACHED: entry(
    409,
    'The organisation has 50 active keys, which is the limit. Revoke a key that is no longer used.',
  ),
  KEY_NOT_ACTIVE: entry(409, 'This key is revoked or has expired, so it cannot be changed.'),
  PROFILE_INCOMPLETE: entry(
    409,
    'The profile of the organisation is not complete. Fill in what is missing, then submit it.',
  ),
  NUMBERS_FIXED: entry(
    409,
    'The company and tax numbers of an approved organisation cannot be changed here. Contact support.',
  ),
  ALREADY_SUBMITTED: entry(409, 'The organisation has already been submitted for approval.'),
  CHECK_LIMIT_REACHED: entry(
    429,
    'You can look up five company and tax numbers a day, and this would exceed the limit. Submit the profile tomorrow.',
  ),
  ENDPOINT_LIMIT_REACHED: entry(
    409,
    'The organisation has five webhook endpoints in this environment, which is the limit. Delete one that is no longer used.',
  ),
  ENDPOINT_NOT_ENABLED: entry(409, 'This webhook endpoint is disabled. Enable it, then repeat your action.'),
  TEST_CREDITS_TAKEN: entry(409, "Today's test credits have already been added. You can add more tomorrow."),
} as const;
export type ConsoleCode = keyof typeof CONSOLE_CATALOGUE;

/** Why a request is rejected, for programs (contract B5 and C7). */
export const ERROR_REASONS = [
  'missing_field',
  'unknown_field',
  'duplicate_field',
  'wrong_type',
  'wrong_format',
  'wrong_value',
  'too_long',
  'not_json',
  'not_an_object',
  'wrong_content_type',
  'wrong_content_encoding',
  'too_large',
  'no_record',
  'no_photo',
  'not_verified',
  'bank_code_required',
  'unknown_bank',
  'missing_key',
  'malformed_key',
  'unknown_key',
  'missing_scope',
  'not_enabled',
  'not_approved',
  'wrong_signature',
  'insufficient_credits',
  'held',
  'in_progress',
  'replay_exhausted',
  'different_request',
  'billing_incomplete',
  'rate_limit',
  'miss_limit',
  'organisation_miss_limit',
  'test_limit',
  'hold_limit',
  'top_up_limit',
] as const;
export type ErrorReason = (typeof ERROR_REASONS)[number];

/** Reasons that decide, together with the code, whether a retry may help. */
export const RETRY_BY_REASON: Partial<
  Readonly<Record<ErrorCode, Partial<Readonly<Record<ErrorReason, CatalogueEntry['retry']>>>>>
> = {
  INSUFFICIENT_FUNDS: { held: 'later' },
  VERIFICATION_FAILED: { no_photo: 'no' },
  NUBAN_VERIFICATION_FAILED: { bank_code_required: 'no', unknown_bank: 'no' },
};

/** The object `error` in the response to a rejected request. It never contains a value that the caller sent. */
export interface ErrorDetails {
  readonly reason: ErrorReason;
  /**
   * The path of the field as the caller wrote it, or the name of a header or query parameter. Empty if the error is
   * not about a single field.
   */
  readonly field: string;
  /** What to do about the error, as a sentence. */
  readonly hint: string;
}

export interface ServiceErrorOptions {
  /** A more specific public message than the catalogue's. It never contains identity data. */
  readonly message?: string;
  readonly details?: ErrorDetails;
  /** Whole seconds for the Retry-After header. */
  readonly retryAfterSeconds?: number;
  /** The other faults of a form of the console. */
  readonly others?: readonly ServiceError[];
  /** For the log only. */
  readonly cause?: unknown;
}

/** Returns the entry of a code in its catalogue. */
export function entryOf(code: ErrorCode | ConsoleCode): CatalogueEntry {
  return code in CONSOLE_CATALOGUE ? CONSOLE_CATALOGUE[code as ConsoleCode] : CATALOGUE[code as ErrorCode];
}

/**
 * The error of a rejected or failed request, with its public code. The API throws only codes of its own catalogue. The
 * console throws codes of both.
 */
export class ServiceError<C extends ErrorCode | ConsoleCode = ErrorCode> extends Error {
  override readonly name = 'ServiceError';
  readonly code: C;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly others: readonly ServiceError[];

  constructor(code: C, options: ServiceErrorOptions = {}) {
    super(options.message ?? entryOf(code).message, { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.others = options.others ?? [];
  }
}

/** Returns the error for a malformed request. Its message is two sentences: the problem and the hint. */
export function invalidSchema(
  reason: ErrorReason,
  field: string,
  problem: string,
  hint: string,
): ServiceError {
  return new ServiceError('INVALID_SCHEMA', {
    message: `${problem} ${hint}`,
    details: { reason, field, hint },
  });
}

/** Throws INVALID_SCHEMA if a person has left a field of a form empty. */
export function requireText(text: string, field: string): void {
  if (text === '')
    throw invalidSchema('wrong_value', field, `The field ${field} must not be empty.`, 'Fill it in.');
}
