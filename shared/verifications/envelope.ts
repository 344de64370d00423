import { CATALOGUE, type ErrorCode, type ErrorDetails, type SuccessCode } from '../core/errors.ts';
import type { IdType } from '../core/id-types.ts';

/** The envelope of every JSON response (specification "Response envelope", decision C1). */
export interface Meta {
  readonly request_id: string;
  /** ISO 8601, UTC, with milliseconds and `Z`. */
  readonly timestamp: string;
}

export interface Envelope {
  readonly success: boolean;
  readonly code: ErrorCode | SuccessCode;
  readonly message: string;
  /** The ID type, or an empty string if none was requested or the body was not read (decision C2). */
  readonly verification_type: IdType | '';
  readonly summary: {
    readonly verified: boolean;
    readonly verification_type: IdType | '';
    readonly provider: string;
    readonly confidence_score: number;
  };
  readonly data: unknown;
  /** What is wrong with what the caller sent (decision C7). Absent from all other responses. */
  readonly error?: ErrorDetails;
  readonly meta: Meta;
}

export function verifiedEnvelope(
  idType: IdType,
  provider: string,
  data: unknown,
  meta: Meta,
  warning?: string,
): Envelope {
  const verified = `${idType} verified.`;
  return {
    success: true,
    code: `${idType}_VERIFIED`,
    message: warning ? `${verified} ${warning}` : verified,
    verification_type: idType,
    summary: { verified: true, verification_type: idType, provider, confidence_score: 1 },
    data,
    meta,
  };
}

/** What a failure says besides its code. The message defaults to the catalogue's. */
export interface FailureText {
  readonly message?: string | undefined;
  readonly details?: ErrorDetails | undefined;
}

export function failureEnvelope(
  code: ErrorCode,
  idType: IdType | '',
  provider: string,
  meta: Meta,
  { message = CATALOGUE[code].message, details }: FailureText = {},
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
 * Serialises the envelope. `confidence_score` is a float and is written `1.0` or `0.0`. The first match is the right
 * one: `confidence_score` precedes `data`, and everything before it is our own text with escaped quotes.
 */
export function envelopeText(envelope: Envelope): string {
  return JSON.stringify(envelope).replace(/"confidence_score":([01])/, '"confidence_score":$1.0');
}
