import { createHash } from 'node:crypto';
import { withDeadline } from '../core/deadline.ts';
import { ServiceError, type ServiceErrorOptions } from '../core/errors.ts';
import { claimKey } from '../ledger/idempotency.ts';
import { timeBudget } from '../ledger/operation.ts';
import { reserveCredit } from '../ledger/reserve.ts';
import { fingerprint } from '../verifications/number-tag.ts';
import { SERVICES } from '../verifications/services.ts';
import type { RequestContext } from './context.ts';
import type { VerificationDependencies } from './dependencies.ts';
import type { CreditState } from './settle.ts';

/**
 * Claims an Idempotency-Key for the request. Returns `claimed` for a new attempt, or `replay` for a free repeat of a
 * charged one. Throws IDEMPOTENCY_KEY_REUSED, REQUEST_IN_PROGRESS and REPLAY_EXHAUSTED (decision E3).
 */
export async function claim(
  { operation, command }: RequestContext,
  route: string,
  key: string,
  { ledger, tools, pepper }: VerificationDependencies,
): Promise<CreditState> {
  const canonical = JSON.stringify([route, command]);
  const keyHash = createHash('sha256').update(`${route}\n${key}`).digest('hex');
  const request = { keyHash, fingerprint: fingerprint(await pepper(), operation.wallet, canonical) };
  const claimed = await claimKey(operation, request, ledger, tools);
  if (claimed.kind === 'attempt') return { kind: 'claimed', operation };
  return { kind: 'replay', operation, of: claimed.of, keyHash };
}

const HELD_HINT = 'Retry after the number of seconds in Retry-After.';
/** Holding is not spending: most holds of look-ups without a record are released within seconds. */
const HELD: ServiceErrorOptions = {
  message: `The wallet's remaining credits are reserved by other requests in progress. ${HELD_HINT}`,
  details: { reason: 'held', field: '', hint: HELD_HINT },
  retryAfterSeconds: 2,
};

/**
 * Reserves the cost of the request. A replay needs no credit and passes unchanged. Throws INSUFFICIENT_FUNDS,
 * RATE_LIMITED (no free hold), and SERVICE_UNAVAILABLE if no registry can be called or the wallet does not respond.
 */
export async function reserve(
  requestContext: RequestContext,
  { ledger, memory, tools, registries }: VerificationDependencies,
): Promise<CreditState> {
  const { credit, operation, command, caller } = requestContext;
  if (credit.kind === 'replay') return credit;
  const availability = registries.availability(caller.env, SERVICES[command.service], caller.registryStates);
  if (availability.kind !== 'available') throw new ServiceError('SERVICE_UNAVAILABLE', availability);
  const reserving = reserveCredit(operation, caller.organisation.walletShards, ledger, memory, tools);
  const { chargeByMs } = timeBudget(operation.requestedAtMs);
  const reservation = await withDeadline(reserving, chargeByMs, tools.nowMs()).catch((cause: unknown) => {
    // Nothing is charged, and the sweeper releases a hold that arrives late.
    requestContext.isWalletUnavailable = true;
    throw new ServiceError('SERVICE_UNAVAILABLE', { cause });
  });
  switch (reservation.kind) {
    case 'held':
      return { kind: 'held', operation, hold: reservation.hold };
    case 'short':
      throw new ServiceError('INSUFFICIENT_FUNDS', reservation.isReserved ? HELD : {});
    case 'full':
      throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: 2 });
    case 'unavailable':
      requestContext.isWalletUnavailable = true;
      throw new ServiceError('SERVICE_UNAVAILABLE');
  }
}
