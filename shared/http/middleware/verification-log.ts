import { ServiceError } from '../../core/errors.ts';
import { SLIP_SOURCES } from '../../verifications/services.ts';
import { type Middleware, required } from '../context.ts';
import type { LedgerDependencies } from '../dependencies.ts';

/**
 * A slip only for a NIN that this organisation has verified in this environment (specification "States", decision
 * E5). Organisation and environment are in the key that is asked, so another's rows cannot be reached.
 */
export function verificationLog({ log }: LedgerDependencies, nowMs: () => number): Middleware {
  return {
    before: async function verificationLogBefore({ context }) {
      const { wallet } = required(context.requestContext.operation, 'operation');
      const tags = required(context.requestContext.numberTags, 'number tags');
      if (!(await log.wasVerified(wallet, tags, SLIP_SOURCES, nowMs())))
        throw new ServiceError('VERIFICATION_LOG_NOT_FOUND');
    },
  };
}
