import type { EndOfLookUp } from '../../accounts/middleware/rate-limit.ts';
import { ServiceError } from '../../core/errors.ts';
import { isVerification } from '../result.ts';

/**
 * Classifies the end of a look-up for the guess limit. A miss is a look-up that found no record, even if many banks were
 * asked, or a request for the slip of a number that was never verified.
 */
export const endOfLookUp: EndOfLookUp = (result, error) => {
  if (error)
    return error instanceof ServiceError && error.code === 'VERIFICATION_LOG_NOT_FOUND' ? 'miss' : 'other';
  if (!isVerification(result)) return 'other';
  if (result.kind === 'found') return 'found';
  return result.kind === 'not-found' || (result.kind === 'failed' && result.rejection !== undefined)
    ? 'miss'
    : 'other';
};
