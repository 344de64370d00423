import { ServiceError } from '../../core/errors.ts';
import type { ChainResponse } from '../../http/result.ts';

/** How a look-up ended, as the guess limit counts it. */
export type LookUpEnd = 'found' | 'miss' | 'other';

/**
 * Classifies the end of a look-up. A miss is a look-up that found no record, even if many banks were asked, or a
 * request for the slip of a number that was never verified.
 */
export function endOf(
  response: ChainResponse | null | undefined,
  error: Error | null | undefined,
): LookUpEnd {
  if (error)
    return error instanceof ServiceError && error.code === 'VERIFICATION_LOG_NOT_FOUND' ? 'miss' : 'other';
  if (!response || !('kind' in response)) return 'other';
  if (response.kind === 'not-found') return 'miss';
  if (response.kind === 'failed' && response.rejection !== undefined) return 'miss';
  return response.kind === 'found' ? 'found' : 'other';
}
