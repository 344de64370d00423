import { withDeadline } from '../../core/deadline.ts';
import { type ErrorCode, ServiceError } from '../../core/errors.ts';
import type { WalletId } from '../../core/keys.ts';
import { errorFields, logger } from '../../core/logger.ts';
import { timeBudget } from '../../core/time-budget.ts';
import type { ApiContext, ErrorStyle } from '../../http/context.ts';
import type { LimiterRows } from '../account-table.ts';
import type { CallerDependencies } from './dependencies.ts';

export type KeyRejectionDependencies = Pick<CallerDependencies, 'rejections' | 'clock'>;

/** Why a key is rejected. Only the log line contains the reason. Callers always get the same response. */
export type KeyProblem =
  | 'key-in-query'
  | 'missing-or-invalid-key'
  | 'unknown-key'
  | 'revoked-key'
  | 'expired-key'
  | 'address-not-allowed';

/**
 * Returns the error for a rejected API key (contract B5). If the key names an existing organisation, counts the
 * rejection for it, because a burst of rejections may be an attack on it.
 */
export async function rejectKey(
  requestContext: ApiContext,
  problem: KeyProblem,
  named: { readonly wallet: WalletId; readonly limits: LimiterRows } | undefined,
  { rejections, clock }: KeyRejectionDependencies,
): Promise<ServiceError> {
  requestContext.line.detail = problem;
  requestContext.headers['WWW-Authenticate'] = 'Bearer';
  if (named) {
    const { wallet, limits } = named;
    requestContext.line.organisationOfBadKey = wallet.organisationId;
    const recording = rejections
      .recordRejection(wallet, limits.organisation, clock.nowMs())
      .catch((error: unknown) => logger.warn('A rejected key was not counted.', errorFields(error)));
    const { respondByMs } = timeBudget(requestContext.requestedAtMs);
    await withDeadline(recording, respondByMs, clock.nowMs(), () => undefined);
  }
  return new ServiceError(keyCode(requestContext.errorStyle));
}

/** Returns the error code of a missing, malformed, unknown, expired or revoked key (contract B5). */
export function keyCode(errorStyle: ErrorStyle): ErrorCode {
  return errorStyle === 'gateway' ? 'AUTH_FAILURE' : 'INVALID_API_KEY';
}
