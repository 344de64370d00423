import type { EndOfLookUp } from '../../accounts/middleware/rate-limit.ts';
import { ServiceError } from '../../core/errors.ts';
import type { FieldMatch } from '../../matching/match.ts';
import { WITHOUT_RECORD } from '../../registries/mapping/results.ts';
import { type FailedResult, type FoundResult, isVerification, type VerificationResult } from '../result.ts';

/** Classifies the end of a look-up for the guess limit (contract F2). */
export const endOfLookUp: EndOfLookUp = (result, error) => {
  if (error)
    return error instanceof ServiceError && error.code === 'VERIFICATION_LOG_NOT_FOUND' ? 'miss' : 'other';
  if (!isVerification(result)) return 'other';
  if (isGuess(result)) return 'miss';
  if (result.kind === 'found') return 'found';
  return isMiss(result) ? 'miss' : 'other';
};

/** Whether the caller may learn from the result that details are wrong, without the record. */
export function isGuess(result: VerificationResult): boolean {
  return result.kind === 'found' ? isWrongMatch(result) : differsAtProvider(result);
}

/**
 * Without the record, details that do not match may be guesses at those of the person (contract M3), even one among
 * others that match. A reason, such as an initial, explains a part that matches.
 */
function isWrongMatch({ content }: FoundResult): boolean {
  if (content.type !== 'json' || !content.isMatchOnly) return false;
  const { match, mayBeGuess = false } = content;
  const { overall = '', fields = {} } = match ?? {};
  const isWrong = ({ result, reasons }: FieldMatch) =>
    result === 'none' || (result === 'partial' && reasons.length === 0);
  return mayBeGuess || !['exact', 'strong'].includes(overall) || Object.values(fields).some(isWrong);
}

/** A provider that compares the names itself returns no record if they differ, and bills nothing. */
function differsAtProvider({ detail, failedProviders = [] }: FailedResult): boolean {
  return [detail, ...failedProviders.map((failed) => failed.detail)].includes(WITHOUT_RECORD);
}

/** Details of look-ups at all banks to which every bank has responded (../../registries/ask-banks.ts). */
const NO_ACCOUNT = ['no-bank', 'several-banks'];

/** A failure that a provider may bill is a miss too: a record without a photo shows for free that the number exists. */
function isMiss({ kind, detail, maybeBilled }: FailedResult): boolean {
  return kind === 'not-found' || (kind === 'failed' && (maybeBilled === true || NO_ACCOUNT.includes(detail)));
}
