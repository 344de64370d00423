import { caller } from '../../accounts/middleware/caller.ts';
import { overLimit } from '../../accounts/middleware/limiter-response.ts';
import { ServiceError, type ServiceErrorOptions } from '../../core/errors.ts';
import { REFRESH_INTERVAL_MS, type Secret } from '../../core/secrets.ts';
import type { ApiContext } from '../../http/context.ts';
import { hashOfKey } from '../../http/idempotency-key.ts';
import { claimKey } from '../../ledger/claim-key.ts';
import { reserveCredit } from '../../ledger/reserve.ts';
import { fingerprints, numberTags, pepperVersion } from '../number-tag.ts';
import type { Command } from '../requests.ts';
import { NUMBER_ALIASES, SERVICES } from '../services.ts';
import { creditOf } from './credit.ts';
import type { LookUpDependencies } from './dependencies.ts';
import { publishShort } from './publish-balance.ts';
import { type CreditState, knownError } from './settle.ts';
import { accountBanks, command, lookUpOperation, rowsOfLookUp } from './values.ts';

/**
 * Claims an Idempotency-Key for the request. Returns `claimed` for a new attempt, or `replay` for a free repetition of
 * a charged one. Throws IDEMPOTENCY_KEY_REUSED, REQUEST_IN_PROGRESS or REPLAY_EXHAUSTED (contract E3), or
 * SERVICE_UNAVAILABLE if a table does not respond.
 */
export async function claim(
  requestContext: ApiContext,
  route: string,
  key: string,
  deps: LookUpDependencies,
): Promise<CreditState> {
  const keyHash = hashOfKey(route, key);
  const { operation: withoutKey, pepper } = lookUpOperation.of(requestContext);
  const operation = { ...withoutKey, idempotencyHash: keyHash };
  // The tables contain only the hash of the key. Without the key, no one can test numbers against the fingerprint.
  const forms = formsOf(command.of(requestContext)).map((form) => JSON.stringify([route, key, form]));
  const [canonical = ''] = forms;
  const request = {
    keyHash,
    fingerprint: fingerprints(pepper, operation.wallet, canonical)[0],
    tagOfSameRequest: (stored: string) => tagOfSameRequest(stored, forms, requestContext, deps),
    onCharged: () => {
      requestContext.keyState = 'charged';
    },
  };
  const claimed = await claimKey(operation, request, deps.ledger, deps.clock).catch((error: unknown) => {
    const known = knownError(error);
    requestContext.line.isWalletUnavailable = known !== error;
    throw known;
  });
  if (claimed.kind === 'attempt') return { kind: 'claimed', operation };
  return { kind: 'replay', operation, of: claimed.of, keyHash };
}

/**
 * Returns the same request with the number under each of its names, and first as the caller wrote it. The gateway, whose
 * field has one name, stores no other form under its route.
 */
function formsOf(asked: Command): Command[] {
  const names = [asked.numberField, 'id_number', NUMBER_ALIASES[asked.idType]];
  return [...new Set(names)].map((numberField) => ({ ...asked, numberField }));
}

const HELD_HINT = 'Retry after the number of seconds in Retry-After.';
/** A hold is not a charge: the holds of look-ups without a record are usually released within seconds. */
const HELD: ServiceErrorOptions = {
  message: `The wallet's remaining credits are reserved by other requests in progress. ${HELD_HINT}`,
  details: { reason: 'held', field: '', hint: HELD_HINT },
  retryAfterSeconds: 2,
};

/**
 * Compares a stored fingerprint with this request, under the current and the previous pepper. Returns the number tag
 * under which the earlier attempt is logged, or undefined if the earlier request was a different one. If the pepper of
 * the fingerprint is unknown, fetches the secret again: after a rotation, other instances use the new pepper up to 15
 * minutes earlier. Throws REPLAY_EXHAUSTED if the pepper is no longer in use, because the two requests may be the same.
 */
async function tagOfSameRequest(
  stored: string,
  forms: readonly string[],
  requestContext: ApiContext,
  { clock, refreshPepper, pepper: cachedPepper }: LookUpDependencies,
): Promise<string | undefined> {
  const { operation, pepper } = lookUpOperation.of(requestContext);
  const { idType, number } = command.of(requestContext);
  const matchUnder = (secret: Secret) => {
    const prints = forms.map((form) => fingerprints(secret, operation.wallet, form));
    const isKnown = prints[0]?.some((print) => pepperVersion(print) === pepperVersion(stored)) ?? false;
    const index = prints.find((ofForm) => ofForm.includes(stored))?.indexOf(stored) ?? -1;
    return { isKnown, tag: numberTags(secret, operation.wallet, idType, number)[index] };
  };
  const match = matchUnder(pepper);
  if (match.isKnown) return match.tag;
  let newer = await refreshPepper();
  if (!newer) {
    await clock.pause(REFRESH_INTERVAL_MS);
    newer = (await refreshPepper()) ?? (await cachedPepper());
  }
  const rematch = matchUnder(newer);
  if (!rematch.isKnown) throw new ServiceError('REPLAY_EXHAUSTED');
  return rematch.tag;
}

/**
 * Reserves the cost of the request. A replay needs no credit, so its state is returned unchanged. Throws
 * INSUFFICIENT_FUNDS, RATE_LIMITED if the wallet has no room for another hold, or SERVICE_UNAVAILABLE if no registry
 * can be called or the wallet does not respond.
 */
export async function reserve(requestContext: ApiContext, deps: LookUpDependencies): Promise<CreditState> {
  const { ledger, memory, clock, registries } = deps;
  const { state } = creditOf(requestContext);
  if (state.kind === 'replay') return state;
  const operation = state.kind === 'claimed' ? state.operation : lookUpOperation.of(requestContext).operation;
  const { env, organisation } = caller.of(requestContext);
  const { registryStates } = rowsOfLookUp.of(requestContext);
  const { service, number, bankCode } = command.of(requestContext);
  const { bank } = accountBanks.find(requestContext) ?? {};
  const asked = { ...SERVICES[service], number, bankCode, bank, organisationId: organisation.id };
  const availability = registries.availability(env, asked, registryStates);
  if (availability.kind !== 'available') {
    requestContext.line.isProviderUnavailable = true;
    throw new ServiceError('SERVICE_UNAVAILABLE', availability);
  }
  const reservation = await reserveCredit(operation, organisation.walletShards, ledger, memory, clock);
  switch (reservation.kind) {
    case 'held':
      return { kind: 'held', operation, hold: reservation.hold };
    case 'short':
      if (!reservation.isReserved) await publishShort(operation, deps);
      throw new ServiceError('INSUFFICIENT_FUNDS', reservation.isReserved ? HELD : {});
    case 'full':
      throw overLimit('hold_limit', 'Too many requests of this wallet are in progress.', 2);
    case 'unavailable':
      requestContext.line.isWalletUnavailable = true;
      throw new ServiceError('SERVICE_UNAVAILABLE', { cause: reservation.cause });
  }
}
