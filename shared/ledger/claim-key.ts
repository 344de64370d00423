import type { Clock } from '../core/clock.ts';
import { ServiceError } from '../core/errors.ts';
import type { LedgerTables } from './dependencies.ts';
import { factsWithoutLookUp, type Operation } from './operation.ts';
import { type Charge, logEntryOf, voidRow } from './rows/charge.ts';
import {
  ERASED_FINGERPRINT,
  IDEMPOTENCY_LIFE_SECONDS,
  type Idempotency,
  isExpired,
  isRunning,
  REPLAY_WINDOW_MS,
  waitSeconds,
} from './rows/idempotency.ts';
import { logLate } from './write-log.ts';

type ClaimResult = { readonly kind: 'attempt' } | { readonly kind: 'replay'; readonly of: Charge };

export interface IdempotencyClaim {
  /** SHA-256 of the route and the key. */
  readonly keyHash: string;
  readonly fingerprint: string;
  /** The earlier attempt may have used a different pepper. Undefined if it was for a different request. */
  tagOfSameRequest(fingerprint: string): Promise<string | undefined>;
  /** The earlier attempt was charged, whether or not this request can repeat it. */
  onCharged(): void;
}

/**
 * Claims the key, or acts on the charge row of the earlier attempt (docs/design/ledger.md). REPLAY_EXHAUSTED: no replay is
 * left, the time for replays is over, or the number was erased.
 */
export async function claimKey(
  operation: Operation,
  claim: IdempotencyClaim,
  tables: LedgerTables,
  clock: Clock,
): Promise<ClaimResult> {
  const { wallet } = operation;
  const row = newRow(operation, claim.fingerprint);
  const stored = await tables.idempotency.claim(wallet, claim.keyHash, row);
  if (stored.operationId === operation.id) return { kind: 'attempt' };
  const isOver = isExpired(stored, clock.nowMs());
  if (!isOver && stored.fingerprint === ERASED_FINGERPRINT) throw new ServiceError('REPLAY_EXHAUSTED');
  const earlierTag = isOver ? undefined : await claim.tagOfSameRequest(stored.fingerprint);
  if (!isOver && earlierTag === undefined) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
  // Even an expired attempt is decided before another one claims its key.
  const earlier = await earlierDecision(operation, stored, tables, clock);
  if (earlierTag === undefined || earlier.state === 'VOID')
    return takeOver(operation, claim, stored, row, tables, clock);
  claim.onCharged();
  return replay(operation, claim, { charge: earlier, numberTag: earlierTag }, tables, clock);
}

function newRow(operation: Operation, fingerprint: string): Idempotency {
  return {
    fingerprint,
    operationId: operation.id,
    requestId: operation.requestId,
    startedAtMs: operation.requestedAtMs,
    expiresAt: Math.floor(operation.requestedAtMs / 1000) + IDEMPOTENCY_LIFE_SECONDS,
  };
}

/** Voids an attempt that has no charge row and can no longer be running. */
async function earlierDecision(
  operation: Operation,
  stored: Idempotency,
  tables: LedgerTables,
  clock: Clock,
): Promise<Charge> {
  const decided = await tables.charges.getCharge(operation.wallet, stored.operationId);
  if (decided) return decided;
  if (isRunning(stored, clock.nowMs())) throw inProgress(stored, clock);
  const abandoned: Operation = {
    ...operation,
    id: stored.operationId,
    requestId: stored.requestId,
    requestedAtMs: stored.startedAtMs,
  };
  const facts = factsWithoutLookUp('ABANDONED', 500);
  return tables.charges.decide(operation.wallet, voidRow(abandoned, facts, clock.nowMs()));
}

async function takeOver(
  operation: Operation,
  claim: IdempotencyClaim,
  stored: Idempotency,
  row: Idempotency,
  tables: LedgerTables,
  clock: Clock,
): Promise<ClaimResult> {
  const { wallet } = operation;
  const isOurs = await tables.idempotency.takeOver(wallet, claim.keyHash, row, stored);
  if (!isOurs) throw inProgress({ ...stored, startedAtMs: clock.nowMs() }, clock);
  return { kind: 'attempt' };
}

/**
 * Counts the replay first, so that even 500 concurrent requests get only 3. A charge whose number was erased is not
 * replayed.
 */
async function replay(
  operation: Operation,
  claim: IdempotencyClaim,
  { charge: earlier, numberTag }: { charge: Charge; numberTag: string },
  tables: LedgerTables,
  clock: Clock,
): Promise<ClaimResult> {
  const { wallet } = operation;
  const isOld = clock.nowMs() >= Date.parse(earlier.decidedAt) + REPLAY_WINDOW_MS;
  if (isOld) throw new ServiceError('REPLAY_EXHAUSTED');
  // Equal fingerprints mean equal details. `numberTag` uses the pepper of the earlier attempt.
  const entry = logEntryOf(earlier, wallet, numberTag, operation);
  const { isLogged, isErased } = await tables.log.find(entry);
  const isCounted =
    !isErased &&
    (await tables.idempotency.countReplay(wallet, claim.keyHash, earlier.operationId, operation.id));
  if (!isCounted) throw new ServiceError('REPLAY_EXHAUSTED');
  try {
    if (!isLogged && (await logLate(entry, tables)) === 'erased') throw new ServiceError('REPLAY_EXHAUSTED');
  } catch (error) {
    await tables.idempotency
      .returnReplay(wallet, claim.keyHash, earlier.operationId, operation.id)
      .catch(() => undefined);
    throw error;
  }
  return { kind: 'replay', of: earlier };
}

function inProgress(stored: Idempotency, clock: Clock): ServiceError {
  return new ServiceError('REQUEST_IN_PROGRESS', { retryAfterSeconds: waitSeconds(stored, clock.nowMs()) });
}
