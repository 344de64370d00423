import { type ErrorDetails, ServiceError } from '../../core/errors.ts';
import type { Middleware } from '../../http/context.ts';
import { numberTags } from '../number-tag.ts';
import { SLIP_SOURCES } from '../services.ts';
import type { LookUpDependencies } from './dependencies.ts';
import { command, lookUpOperation } from './values.ts';

const NOT_VERIFIED: ErrorDetails = {
  reason: 'not_verified',
  field: 'nin',
  hint: 'Verify this NIN first, with the same organisation and environment.',
};

/**
 * Requires that the organisation has verified this NIN before, in the same environment (specification "States",
 * contract E5).
 */
export function verificationLog({ log, clock, refreshPepper }: LookUpDependencies): Middleware {
  return {
    name: 'verificationLog',
    async before({ context: { requestContext } }) {
      const { operation, numberTags: known } = lookUpOperation.of(requestContext);
      const { idType, number } = command.of(requestContext);
      const { wallet } = operation;
      const wasVerified = (tags: readonly string[]) =>
        log.wasVerified(wallet, tags, SLIP_SOURCES, clock.nowMs());
      if (await wasVerified(known)) return;
      // After a rotation, another instance may have logged the verification under a pepper that this instance does not
      // have yet.
      const pepper = await refreshPepper().catch(() => undefined);
      const tags = pepper ? numberTags(pepper, wallet, idType, number) : [];
      const newer = tags.filter((tag) => !known.includes(tag));
      if (newer.length > 0 && (await wasVerified(newer))) return;
      throw new ServiceError('VERIFICATION_LOG_NOT_FOUND', { details: NOT_VERIFIED });
    },
  };
}
