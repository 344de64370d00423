import {
  CATALOGUE,
  type CatalogueEntry,
  ERROR_REASONS,
  type ErrorCode,
  type ErrorReason,
  RETRY_BY_REASON,
} from '../../core/errors.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import { numberFormat } from '../../core/numbers.ts';
import type { Outcome } from '../../core/outcome.ts';
import { REASONS } from '../error-reasons.ts';
import type { Explanation } from './views.ts';

/** Explains a request to developers: what its outcome means, whether it was charged, and whether a retry helps. */

export interface ExplainedRequest {
  readonly service?: string | undefined;
  readonly outcome: Outcome;
  readonly httpStatus: number;
  readonly creditsCharged: number;
  readonly replayOf?: string | undefined;
  readonly code?: string | undefined;
}

/** For some outcomes, the error code that explains the outcome if the code of the response is unknown. */
const CODE_OF_OUTCOME: Partial<Readonly<Record<Outcome, ErrorCode>>> = {
  NOT_FOUND: 'RECORD_NOT_FOUND',
  FAILED: 'VERIFICATION_FAILED',
  UNREACHABLE: 'SERVICE_UNAVAILABLE',
  TIMEOUT: 'TIMEOUT',
  ERROR: 'SERVER_ERROR',
};

/** The meaning of some outcomes. */
const MEANINGS: Partial<Readonly<Record<Outcome, string>>> = {
  FOUND: 'The registry has a record for this number.',
  UNREACHABLE: 'The registry could not be reached.',
  ABANDONED:
    'The request ended without a result, for example because a part of the service stopped. No record was returned.',
};
const SLIP_MADE = 'The slip was made from the record of this number.';
const REFUSED = 'The service rejected the request before the look-up was complete. No record was returned.';

const NOT_CHARGED: Readonly<Record<Exclude<Outcome, 'FOUND'>, string>> = {
  NOT_FOUND: 'Not charged, because the registry has no record for this number.',
  FAILED: 'Not charged, because the registry returned no usable record.',
  UNREACHABLE: 'Not charged, because the registry could not be reached.',
  TIMEOUT: 'Not charged, because the result did not arrive in time.',
  REFUSED: 'Not charged, because the request was rejected. The credits that it had reserved were released.',
  ERROR: 'Not charged, because the service failed. The credits that the request had reserved were released.',
  ABANDONED: 'Not charged. The credits that the request had reserved were released.',
};
const FREE_REPLAY =
  'Not charged. The request is a free replay: it repeated an earlier one under the same Idempotency-Key.';
const FREE_OF_CHARGE = 'Not charged, because the price of the service was 0 credits.';
const REJECTED = 'Not charged. The request was rejected before it reserved credits.';
const CHARGE_UNKNOWN =
  'It is not known whether this request was charged. If it had an Idempotency-Key, repeat it under the same key to find out: you are not charged twice.';

type Retry = Explanation['retry'];

const NEW_REQUEST: Retry = {
  helps: 'no',
  text: 'No. The same request would be rejected again. Correct it, then send it as a new one.',
};
const ONCE: Retry = {
  helps: 'yes',
  text: 'Yes, once, after a short delay. If it fails again, contact support with the request ID.',
};
const LATER: Retry = {
  helps: 'later',
  text: 'Yes, but not immediately. Wait for the number of seconds in Retry-After, and longer before each further attempt.',
};
const SAME_KEY: Retry = {
  helps: 'later',
  text: 'Yes, after a minute. If the request had an Idempotency-Key, use the same one, so that you are not charged twice.',
};
const OTHER_NUMBER: Retry = {
  helps: 'no',
  text: 'No. The same number would get the same response. Check it, then send a new request.',
};
const DONE: Retry = {
  helps: 'no',
  text: 'No retry is needed. A new request for this number is charged again. A retry with the same Idempotency-Key is not.',
};

const RETRIES: Readonly<Record<CatalogueEntry['retry'], Retry>> = {
  no: NEW_REQUEST,
  once: ONCE,
  later: LATER,
};

/** For some error codes, what must change before a retry of the same request can succeed. */
const UNTIL: Partial<Readonly<Record<ErrorCode, string>>> = {
  INVALID_API_KEY: 'No. Use an active API key that is permitted to send this request from this IP address.',
  AUTH_FAILURE: 'No. Use an active API key that is permitted to send this request from this IP address.',
  UNAPPROVED_ORGANIZATION: 'Only after the organisation is approved. Before approval, test keys work.',
  SUBSCRIPTION_REQUIRED: 'Only after the service is enabled for the organisation.',
  INSUFFICIENT_FUNDS:
    'Only after the wallet is topped up. If other requests had reserved the credits, the response said so, and a retry after a few seconds may succeed.',
  BILLING_INCOMPLETE: 'Only after the billing details are complete.',
  VERIFICATION_LOG_NOT_FOUND: 'Only after the organisation has verified this NIN.',
  REPLAY_EXHAUSTED:
    'Not under the same Idempotency-Key. A request under a new key is charged if a record is found.',
  IDEMPOTENCY_KEY_REUSED: 'Not under the same Idempotency-Key. Use a new key for each new request.',
  OUTCOME_UNKNOWN: SAME_KEY.text,
};

/** Explains a request that has a log row. */
export function explainRequest(request: ExplainedRequest): Explanation {
  const { outcome, code } = request;
  const meaning = isSlip(request) ? SLIP_MADE : MEANINGS[outcome];
  const known = code !== undefined && isErrorCode(code) ? code : CODE_OF_OUTCOME[outcome];
  return {
    meaning: meaning ?? (known === undefined ? REFUSED : CATALOGUE[known].message),
    charge: chargeText(request),
    retry: retryOf(request, known),
  };
}

/** Explains a request that was rejected before it reserved credits. A later version may have stored another reason. */
export function explainRejected(code: ErrorCode, details: RejectionDetails = {}): Explanation {
  const { charged } = CATALOGUE[code];
  const known = knownReason(details);
  return {
    meaning: meaningOfCode(code, details),
    charge: charged === 'unknown' ? CHARGE_UNKNOWN : REJECTED,
    retry: known ? retryAfterReason(code, known) : retryAfter(code),
  };
}

interface RejectionDetails {
  readonly reason?: string | undefined;
  readonly field?: string | undefined;
}

const knownReason = ({ reason }: RejectionDetails) => ERROR_REASONS.find((one) => one === reason);

/** Returns what a code means, by the reason if it is known, with the name of the rejected field. */
export function meaningOfCode(code: ErrorCode, details: RejectionDetails): string {
  const reason = knownReason(details);
  if (!reason) return CATALOGUE[code].message;
  const { field } = details;
  const idType = ID_TYPES.find((one) => code === `${one}_NOT_FOUND`);
  if (reason === 'wrong_format' && idType)
    return `${field || 'The number'} must be ${numberFormat(idType).text}. The registry was not asked.`;
  const meaning = REASONS[reason].meaning.replaceAll('`', '');
  if (field) return `${meaning} Rejected field: ${field}.`;
  return reason === 'unknown_field' ? `${meaning} ${NAME_NOT_STORED}` : meaning;
}

const NAME_NOT_STORED = 'The response named the field. It is not stored, because it may be personal.';

function retryAfterReason(code: ErrorCode, reason: ErrorReason): Retry {
  const retry = RETRY_BY_REASON[code]?.[reason];
  if (retry) return RETRIES[retry];
  return reason === 'wrong_format' ? NEW_REQUEST : retryAfter(code);
}

const isSlip = ({ service, outcome }: ExplainedRequest) => service === 'nin-slip' && outcome === 'FOUND';

function chargeText(request: ExplainedRequest): string {
  const { outcome, creditsCharged, replayOf } = request;
  const reason = isSlip(request) ? 'the slip was made' : 'the registry has a record for this number';
  if (creditsCharged > 0) return `Charged ${creditsText(creditsCharged)}, because ${reason}.`;
  if (replayOf !== undefined) return FREE_REPLAY;
  return outcome === 'FOUND' ? FREE_OF_CHARGE : NOT_CHARGED[outcome];
}

const creditsText = (credits: number) => (credits === 1 ? '1 credit' : `${credits} credits`);

function retryOf({ outcome, httpStatus }: ExplainedRequest, code: ErrorCode | undefined): Retry {
  if (outcome === 'FOUND') return DONE;
  if (outcome === 'NOT_FOUND') return OTHER_NUMBER;
  if (outcome === 'ABANDONED') return SAME_KEY;
  if (code !== undefined) return retryAfter(code);
  return httpStatus >= 500 || httpStatus === 429 ? LATER : NEW_REQUEST;
}

function retryAfter(code: ErrorCode): Retry {
  const { helps, text } = isNotFound(code) ? OTHER_NUMBER : RETRIES[CATALOGUE[code].retry];
  return { helps, text: UNTIL[code] ?? text };
}

const isNotFound = (code: ErrorCode) => ['RECORD', ...ID_TYPES].some((one) => code === `${one}_NOT_FOUND`);

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(CATALOGUE, code);
}
