import type { WalletId } from '../core/keys.ts';
import type { Charge } from './rows/charge.ts';
import {
  ERASED_FINGERPRINT,
  type Idempotency,
  isExpired,
  MAX_REPLAYS,
  REPLAY_WINDOW_MS,
} from './rows/idempotency.ts';
import { HOLD_LIFE_MS, SETTLED_WITHIN_MS } from './rows/wallet.ts';
import type { ChargeTable } from './tables/charge-table.ts';
import type { IdempotencyTable } from './tables/idempotency-table.ts';

/** What became of the requests with one idempotency key. */
export interface KeyUse {
  readonly keyHash: string;
  readonly state: 'charged' | 'not_charged' | 'in_progress';
  /** The charged request, or the latest one. */
  readonly requestId: string;
  readonly requestedAtMs: number;
  readonly creditsCharged: number;
  /** How many free replays are left now. */
  readonly replaysLeft: number;
  /** The request and the free replays that returned a record. */
  readonly operationIds: readonly string[];
}

interface KeyTables {
  readonly idempotency: Pick<IdempotencyTable, 'find'>;
  readonly charges: Pick<ChargeTable, 'getCharges'>;
}

/** Returns the uses of these keys in the last 30 days. Strongly consistent, and writes nothing. */
export async function usesOfKeys(
  wallet: WalletId,
  keyHashes: readonly string[],
  { idempotency, charges }: KeyTables,
  nowMs: number,
): Promise<KeyUse[]> {
  const found = [...(await idempotency.find(wallet, keyHashes))].filter(([, row]) => !isExpired(row, nowMs));
  const decided = await charges.getCharges(
    wallet,
    found.map(([, { operationId }]) => operationId),
  );
  return found.map(([keyHash, row]) => {
    const charge = decided.find(({ operationId }) => operationId === row.operationId);
    return keyUse(keyHash, row, charge, nowMs);
  });
}

function keyUse(keyHash: string, row: Idempotency, charge: Charge | undefined, nowMs: number): KeyUse {
  const { operationId, requestId, startedAtMs: requestedAtMs, replays = new Set<string>() } = row;
  const isCharged = charge?.state === 'CHARGED';
  // By then, the sweeper has decided every request that reserved credits.
  const isUndecided = !charge && nowMs < requestedAtMs + HOLD_LIFE_MS + SETTLED_WITHIN_MS;
  const mayReplay =
    isCharged &&
    row.fingerprint !== ERASED_FINGERPRINT &&
    nowMs < Date.parse(charge.decidedAt) + REPLAY_WINDOW_MS;
  const undecided = isUndecided ? 'in_progress' : 'not_charged';
  return {
    keyHash,
    state: isCharged ? 'charged' : undecided,
    requestId,
    requestedAtMs,
    creditsCharged: isCharged ? charge.cost : 0,
    replaysLeft: mayReplay ? MAX_REPLAYS - replays.size : 0,
    operationIds: [operationId, ...replays],
  };
}
