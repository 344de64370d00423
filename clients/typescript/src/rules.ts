import { ID_TYPES } from './checks.ts';
import type { Charged, ErrorCode, ErrorKind } from './errors.ts';
import type { IdType } from './records.ts';

export interface Rule {
  readonly kind: ErrorKind;
  readonly retryable: boolean;
  /** By the client itself, within `maxRetries`. */
  readonly mostRetries: number;
  /** The headers of the response may say more. */
  readonly charged: Charged;
}

type Retry = 'never' | 'byCaller' | 'once' | 'often';

function rule(kind: ErrorKind, retry: Retry = 'never', charged: 'no' | 'unknown' = 'no'): Rule {
  const mostRetries = { never: 0, byCaller: 0, once: 1, often: Number.POSITIVE_INFINITY }[retry];
  return { kind, retryable: retry !== 'never', mostRetries, charged: charged === 'no' ? false : undefined };
}

const AUTHENTICATION = rule('authentication');
const VALIDATION = rule('validation');
const NOT_FOUND = rule('not_found');
/** The registry responded, and a retry costs another look-up, so the caller decides whether to retry. */
const FAILED = rule('verification_failed', 'byCaller');
const OTHER = rule('other');

/** A test compares it with the service's error catalogue. */
const CODES: Readonly<Record<Exclude<ErrorCode, `${IdType}_${string}`>, Rule>> = {
  HTTPS_REQUIRED: OTHER,
  INVALID_API_KEY: AUTHENTICATION,
  INVALID_SIGNATURE: AUTHENTICATION,
  AUTH_FAILURE: AUTHENTICATION,
  UNAPPROVED_ORGANIZATION: AUTHENTICATION,
  SUBSCRIPTION_REQUIRED: AUTHENTICATION,
  RATE_LIMITED: rule('rate_limit', 'often'),
  UNSUPPORTED_MEDIA_TYPE: VALIDATION,
  PAYLOAD_TOO_LARGE: VALIDATION,
  INVALID_SCHEMA: VALIDATION,
  INSUFFICIENT_FUNDS: rule('insufficient_funds'),
  VERIFICATION_FAILED: FAILED,
  RECORD_NOT_FOUND: NOT_FOUND,
  VERIFICATION_LOG_NOT_FOUND: NOT_FOUND,
  VERIFICATION_NOT_FOUND: NOT_FOUND,
  INVOICE_NOT_FOUND: NOT_FOUND,
  TOP_UP_NOT_FOUND: NOT_FOUND,
  // Not `not_found`: a wrong base URL must not look like a missing record.
  ROUTE_NOT_FOUND: OTHER,
  METHOD_NOT_ALLOWED: OTHER,
  BILLING_INCOMPLETE: OTHER,
  // This attempt was not charged, but the call in progress under the same key may be.
  REQUEST_IN_PROGRESS: rule('in_progress', 'often', 'unknown'),
  // Charged, unless the data of the call was erased, in which case the API no longer knows.
  REPLAY_EXHAUSTED: rule('replay_exhausted', 'never', 'unknown'),
  IDEMPOTENCY_KEY_REUSED: VALIDATION,
  SERVICE_UNAVAILABLE: rule('service_unavailable', 'often'),
  OUTCOME_UNKNOWN: rule('service_unavailable', 'often', 'unknown'),
  TIMEOUT: rule('timeout', 'once'),
  SERVER_ERROR: rule('server', 'once'),
};

/** Most are released within seconds. */
const HELD = rule('insufficient_funds', 'once');
/** Unless the caller changes the request. */
const NOT_AGAIN = rule('verification_failed');
const NOT_AGAIN_REASONS = ['no_photo', 'bank_code_required', 'unknown_bank'];

/** Without a known code: of a proxy, or of a newer service. */
const STATUSES: Readonly<Record<number, Rule>> = {
  401: AUTHENTICATION,
  402: CODES.INSUFFICIENT_FUNDS,
  408: rule('timeout', 'often', 'unknown'),
  413: VALIDATION,
  415: VALIDATION,
  422: VALIDATION,
  429: CODES.RATE_LIMITED,
  503: CODES.OUTCOME_UNKNOWN,
  504: rule('timeout', 'often', 'unknown'),
};
const SERVER = rule('server', 'often', 'unknown');

/** Returns the rule for an error response. */
export function ruleOf(status: number, code?: string, reason?: string): Rule {
  if (reason === 'held') return HELD;
  if (reason !== undefined && NOT_AGAIN_REASONS.includes(reason)) return NOT_AGAIN;
  const known = code === undefined ? undefined : ruleOfCode(code);
  return known ?? STATUSES[status] ?? (status >= 500 ? SERVER : OTHER);
}

function ruleOfCode(code: string): Rule | undefined {
  if (Object.hasOwn(CODES, code)) return CODES[code as keyof typeof CODES];
  if (ID_TYPES.some((idType) => code === `${idType}_NOT_FOUND`)) return NOT_FOUND;
  return ID_TYPES.some((idType) => code === `${idType}_VERIFICATION_FAILED`) ? FAILED : undefined;
}

/** Then, a charge under the key would have made the response a replay. */
export function isAfterKeyCheck(code?: string, reason?: string): boolean {
  if (code === 'INSUFFICIENT_FUNDS') return true;
  const kind = code === undefined ? undefined : ruleOfCode(code)?.kind;
  if (reason === undefined) return kind === 'verification_failed';
  return reason === 'no_record' || reason === 'no_photo';
}
