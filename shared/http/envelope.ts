import { CATALOGUE, type ErrorCode, type ErrorDetails, type SuccessCode } from '../core/errors.ts';
import type { IdType } from '../core/id-types.ts';

/** The envelope of JSON responses (specification "Response envelope", contract C1). */

export interface Meta {
  readonly request_id: string;
  /** ISO 8601, UTC, with milliseconds and `Z`. */
  readonly timestamp: string;
  /** On a free replay: the ID of the charged request. */
  readonly replay_of?: string;
}

export interface Envelope {
  readonly success: boolean;
  readonly code: ErrorCode | SuccessCode;
  readonly message: string;
  /** The ID type, or an empty string if none was requested or the body was not read (contract C2). */
  readonly verification_type: IdType | '';
  readonly summary: {
    readonly verified: boolean;
    readonly verification_type: IdType | '';
    readonly provider: string;
    readonly confidence_score: number;
  };
  /** Present if there is a record, and the caller sent details to compare with it (contract M2). */
  readonly match?: object;
  readonly data: unknown;
  /** Why the request was rejected (contract C7). Absent from all other responses. */
  readonly error?: ErrorDetails;
  readonly meta: Meta;
}

/** The optional parts of a failed response. They default to the catalogue's. */
export interface FailureText {
  readonly message?: string | undefined;
  readonly details?: ErrorDetails | undefined;
}

export function failureEnvelope(
  code: ErrorCode,
  idType: IdType | '',
  provider: string,
  meta: Meta,
  { message = CATALOGUE[code].message, details = CATALOGUE[code].details }: FailureText = {},
): Envelope {
  return {
    success: false,
    code,
    message,
    verification_type: idType,
    summary: { verified: false, verification_type: idType, provider, confidence_score: 0 },
    data: null,
    ...(details && { error: details }),
    meta,
  };
}

/**
 * Serialises the envelope. Scores are floats, so whole ones are written as `1.0` or `0.0`. Nothing else can look like a
 * score, because quotes inside strings are escaped.
 */
export function envelopeText(envelope: Envelope): string {
  const text = JSON.stringify(envelope).replace(/"confidence_score":([01])(?=})/, '"confidence_score":$1.0');
  return envelope.match ? text.replace(/"score":([01])(?=,)/g, '"score":$1.0') : text;
}
