import type { ErrorReason } from '../core/errors.ts';

/** The meaning of each reason, for the guide on errors and the explanations in the console. Names are in backticks. */

interface Meaning {
  readonly meaning: string;
  /** The codes that the reason occurs with. `<TYPE>` is a placeholder for an ID type. */
  readonly codes: readonly string[];
}

const SCHEMA = ['INVALID_SCHEMA'];
const KEY = ['INVALID_API_KEY', 'AUTH_FAILURE'];
const LIMIT = ['RATE_LIMITED'];

export const REASONS: Readonly<Record<ErrorReason, Meaning>> = {
  missing_field: { meaning: 'A required field is missing, or `match` is empty.', codes: SCHEMA },
  unknown_field: {
    meaning: 'The route has no field or query parameter with this name. `hint` names a similar one.',
    codes: SCHEMA,
  },
  duplicate_field: {
    meaning: 'A field, header or query parameter occurs twice.',
    codes: SCHEMA,
  },
  wrong_type: {
    meaning: 'The field has the wrong JSON type, such as a number without quotes.',
    codes: SCHEMA,
  },
  wrong_format: {
    meaning:
      'The field, header or parameter has the wrong format. `consent`, `reason` or `reference` has an invisible character, or one of the first two a number of 10 or more digits.',
    codes: ['<TYPE>_NOT_FOUND', ...SCHEMA],
  },
  wrong_value: {
    meaning:
      'The value is not a documented one, or contradicts another field, or the `Idempotency-Key`, `reference`, `consent` or `reason` contains the number.',
    codes: SCHEMA,
  },
  too_long: { meaning: 'The text is longer than its limit.', codes: SCHEMA },
  not_json: { meaning: 'The body is empty, or not valid JSON in UTF-8.', codes: SCHEMA },
  not_an_object: { meaning: 'The body is JSON, but not an object.', codes: SCHEMA },
  wrong_content_type: {
    meaning: 'The `Content-Type` is not `application/json` in UTF-8.',
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  wrong_content_encoding: {
    meaning: 'The body has a `Content-Encoding` other than `identity`.',
    codes: ['UNSUPPORTED_MEDIA_TYPE'],
  },
  too_large: { meaning: 'The body is larger than 4,096 bytes.', codes: ['PAYLOAD_TOO_LARGE'] },
  no_record: {
    meaning: 'The registry has no record for the number.',
    codes: ['<TYPE>_NOT_FOUND', 'RECORD_NOT_FOUND'],
  },
  no_photo: {
    meaning: 'The record has no usable photo, which `method: biometric` requires.',
    codes: ['VERIFICATION_FAILED'],
  },
  not_verified: {
    meaning: 'Your organisation has not verified this NIN, or has made no slip with this `request_id`.',
    codes: ['VERIFICATION_LOG_NOT_FOUND'],
  },
  bank_code_required: {
    meaning: 'The bank code is missing. `hint` names possible banks.',
    codes: ['NUBAN_VERIFICATION_FAILED'],
  },
  unknown_bank: {
    meaning: 'No bank has this `bank_code`, or no registry serves the bank.',
    codes: ['NUBAN_VERIFICATION_FAILED'],
  },
  missing_key: { meaning: 'The header `Authorization` is missing or has no key.', codes: KEY },
  malformed_key: {
    meaning: 'The header does not contain one complete key, or the URL contains a key.',
    codes: KEY,
  },
  unknown_key: {
    meaning: 'The key is unknown, has expired, is revoked, or may not be used from this address.',
    codes: KEY,
  },
  missing_scope: {
    meaning:
      'The key lacks the scope that the message names. A key for matches only needs `match_only: true` in each request.',
    codes: ['INVALID_API_KEY', 'SUBSCRIPTION_REQUIRED'],
  },
  not_enabled: {
    meaning: 'The service is not enabled for your organisation.',
    codes: ['SUBSCRIPTION_REQUIRED'],
  },
  not_approved: {
    meaning: 'Your organisation is not approved, or is suspended.',
    codes: ['UNAPPROVED_ORGANIZATION'],
  },
  wrong_signature: {
    meaning: "The payment provider's message is not signed correctly.",
    codes: ['INVALID_SIGNATURE'],
  },
  insufficient_credits: {
    meaning: 'The wallet has too few credits.',
    codes: ['INSUFFICIENT_FUNDS'],
  },
  held: {
    meaning: 'Other requests hold the credits, which may be released within 3 minutes.',
    codes: ['INSUFFICIENT_FUNDS'],
  },
  in_progress: {
    meaning: 'A request with this `Idempotency-Key` is in progress.',
    codes: ['REQUEST_IN_PROGRESS'],
  },
  replay_exhausted: {
    meaning: 'The request with this `Idempotency-Key` cannot be repeated.',
    codes: ['REPLAY_EXHAUSTED'],
  },
  different_request: {
    meaning: 'Another request has this `Idempotency-Key`.',
    codes: ['IDEMPOTENCY_KEY_REUSED'],
  },
  billing_incomplete: {
    meaning: 'Billing details or a price are missing.',
    codes: ['BILLING_INCOMPLETE'],
  },
  rate_limit: { meaning: 'The key sends too many requests.', codes: LIMIT },
  miss_limit: {
    meaning: 'Too many look-ups with this key found no record, or too many of one number had wrong details.',
    codes: LIMIT,
  },
  organisation_miss_limit: {
    meaning: 'The same, for all live keys of your organisation together.',
    codes: LIMIT,
  },
  test_limit: { meaning: 'There are too many look-ups with test keys.', codes: LIMIT },
  hold_limit: { meaning: 'Too many requests of the wallet are in progress.', codes: LIMIT },
  top_up_limit: { meaning: 'Too many top-ups of the wallet are unpaid.', codes: LIMIT },
};
