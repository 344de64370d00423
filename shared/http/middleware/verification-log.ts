import { ServiceError } from '../../core/errors.ts';
import { SLIP_SOURCES } from '../../verifications/services.ts';
import { type Middleware, need } from '../exchange.ts';
import type { LedgerParts } from '../parts.ts';

/**
 * A slip only for a NIN that this organisation has verified in this environment (specification "States", decision
 * E5). Organisation and environment are in the key that is asked, so another's rows cannot be reached.
 */
export function verificationLog({ log }: LedgerParts, nowMs: () => number): Middleware {
  return {
    before: async function verificationLogBefore({ context }) {
      const { wallet } = need(context.exchange.operation, 'operation');
      const tags = need(context.exchange.numberTags, 'number tags');
      if (!(await log.wasVerified(wallet, tags, SLIP_SOURCES, nowMs())))
        throw new ServiceError('VERIFICATION_LOG_NOT_FOUND');
    },
  };
}
