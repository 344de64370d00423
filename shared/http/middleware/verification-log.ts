import { type ErrorDetails, ServiceError } from '../../core/errors.ts';
import { SLIP_SOURCES } from '../../verifications/services.ts';
import type { Middleware } from '../context.ts';
import type { VerificationDependencies } from '../dependencies.ts';

const NOT_VERIFIED: ErrorDetails = {
  reason: 'not_verified',
  field: 'nin',
  hint: 'Verify this NIN first, with the same organisation and environment.',
};

/**
 * The organisation has verified this NIN before, in the same environment (specification "States", decision E5). Both
 * are part of the key that is read, so another organisation's rows cannot be reached.
 */
export function verificationLog({ log, tools }: VerificationDependencies): Middleware {
  return {
    before: async function verificationLogBefore({ context: { requestContext } }) {
      const { operation, numberTags } = requestContext;
      if (!(await log.wasVerified(operation.wallet, numberTags, SLIP_SOURCES, tools.nowMs())))
        throw new ServiceError('VERIFICATION_LOG_NOT_FOUND', { details: NOT_VERIFIED });
    },
  };
}
