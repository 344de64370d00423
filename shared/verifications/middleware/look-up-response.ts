import type { IdType } from '../../core/id-types.ts';
import { failureResponse, meta, pdfResponse, response } from '../../http/api-format.ts';
import type { ApiContext } from '../../http/context.ts';
import { type Envelope, envelopeText, type FailureText, type Meta } from '../../http/envelope.ts';
import type { HttpResponse } from '../../http/result.ts';
import type { Match } from '../../matching/match.ts';
import type { Bank } from '../../registries/mapping/nuban.ts';
import { failureCode } from '../outcome-codes.ts';
import type { Command } from '../requests.ts';
import { type FailedResult, isVerification } from '../result.ts';
import { accountBanks, command } from './values.ts';

/** Returns the response for the result of a look-up. Returns undefined if it is no such result. */
export function lookUpResponse(result: unknown, requestContext: ApiContext): HttpResponse | undefined {
  if (!isVerification(result)) return undefined;
  const { line, errorStyle } = requestContext;
  const asked = command.of(requestContext);
  const { idType } = asked;
  line.provider = result.provider.displayName;
  if (result.kind !== 'found') {
    line.detail = result.detail;
    line.isProviderUnavailable = isRegistryFailure(result);
    line.maybeBilled = result.maybeBilled === true;
    const code = failureCode(result.kind, idType, errorStyle);
    const bank = accountBanks.find(requestContext)?.bank;
    return failureResponse(code, requestContext, failureText(result, asked, bank));
  }
  line.code = `${idType}_VERIFIED`;
  const { content } = result;
  if (content.type === 'pdf') return pdfResponse(content, requestContext);
  const envelope = verifiedEnvelope(idType, line.provider, content.data, meta(requestContext), content);
  return response(requestContext, 200, 'application/json', envelopeText(envelope));
}

/**
 * Whether a registry caused the failure. With `fenced`, the look-up ended in time but its charge did not, which is a
 * fault of the service.
 */
function isRegistryFailure({ kind, detail }: FailedResult): boolean {
  return (kind === 'unreachable' || kind === 'timeout') && detail !== 'fenced';
}

/**
 * Returns the message and details of a failure that the caller can correct: those of `rejection`, or a hint for a
 * number without a record.
 */
function failureText({ kind, rejection }: FailedResult, { numberField }: Command, bank?: Bank): FailureText {
  if (rejection) return { message: rejection.hint, details: rejection };
  if (kind !== 'not-found') return {};
  const hint = bank
    ? `${bank.name} has no account with this number. Check the number and bank_code.`
    : 'Check the number.';
  return { details: { reason: 'no_record', field: numberField, hint } };
}

export interface VerifiedDetails {
  readonly match?: Match | undefined;
  readonly warning?: string | undefined;
}

/** Returns the envelope of a record. */
export function verifiedEnvelope(
  idType: IdType,
  provider: string,
  data: unknown,
  meta: Meta,
  { match, warning }: VerifiedDetails = {},
): Envelope {
  const sentences = [`${idType} verified.`, match && MATCH_MESSAGES[match.overall], warning];
  const confidence_score = match ? match.score : 1;
  return {
    success: true,
    code: `${idType}_VERIFIED`,
    message: sentences.filter(Boolean).join(' '),
    verification_type: idType,
    summary: { verified: true, verification_type: idType, provider, confidence_score },
    ...(match && { match }),
    data,
    meta,
  };
}

const MATCH_MESSAGES: Readonly<Record<Match['overall'], string>> = {
  exact: 'The details that you sent match the record exactly.',
  strong: 'The details that you sent match the record.',
  partial: 'The details that you sent match the record only in part.',
  none: 'The details that you sent do not match the record.',
  insufficient: 'The details that you sent are not enough to decide whether they match the record.',
};
