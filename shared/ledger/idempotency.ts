import { ServiceError } from '../core/errors.ts';
import type { LedgerTables, LedgerTools } from './dependencies.ts';
import { factsWithoutLookUp, type Operation } from './operation.ts';
import { type Charge, logEntryOf, voidRow } from './rows/charge.ts';
import {
  IDEMPOTENCY_LIFE_SECONDS,
  type Idempotency,
  isExpired,
  isRunning,
  REPLAY_WINDOW_MS,
  waitSeconds,
} from './rows/idempotency.ts';

/** What an idempotency key makes of a request: a new attempt, or a free replay of a charged one. */
export type ClaimResult = { readonly kind: 'attempt' } | { readonly kind: 'replay'; readonly of: Charge };

export interface IdempotencyClaim {
  /** SHA-256 of route and key. */
  readonly keyHash: string;
  readonly fingerprint: string;
}

/**
 * Claims the key for this operation, or does what the charge row of the earlier attempt says (ledger design,
 * "Idempotency"). Throws IDEMPOTENCY_KEY_REUSED (another request), REQUEST_IN_PROGRESS and REPLAY_EXHAUSTED.
 */
export async function claimKey(
  operation: Operation,
  claim: IdempotencyClaim,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<ClaimResult> {
  const { wallet } = operation;
  const row = newRow(operation, claim.fingerprint);
  const stored = await tables.idempotency.claim(wallet, claim.keyHash, row);
  if (stored.operationId === operation.id) return { kind: 'attempt' };
  const isOver = isExpired(stored, tools.nowMs());
  if (!isOver && stored.fingerprint !== claim.fingerprint) throw new ServiceError('IDEMPOTENCY_KEY_REUSED');
  // Even an expired attempt is decided before its key goes to another one.
  const earlier = await earlierDecision(operation, stored, tables, tools);
  if (isOver || earlier.state === 'VOID') return takeOver(operation, claim, stored, row, tables, tools);
  return replay(operation, claim, earlier, tables, tools);
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

/** The charge row of the earlier attempt. An attempt that has none and is past its time is voided now. */
async function earlierDecision(
  operation: Operation,
  stored: Idempotency,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<Charge> {
  const decided = await tables.charges.getCharge(operation.wallet, stored.operationId);
  if (decided) return decided;
  if (isRunning(stored, tools.nowMs())) throw inProgress(stored, tools);
  const abandoned: Operation = {
    ...operation,
    id: stored.operationId,
    requestId: stored.requestId,
    requestedAtMs: stored.startedAtMs,
  };
  const facts = factsWithoutLookUp('ABANDONED', 500);
  return tables.charges.decide(operation.wallet, voidRow(abandoned, facts, tools.nowMs()));
}

async function takeOver(
  operation: Operation,
  claim: IdempotencyClaim,
  stored: Idempotency,
  row: Idempotency,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<ClaimResult> {
  const { wallet } = operation;
  const isOurs = await tables.idempotency.takeOver(wallet, claim.keyHash, row, stored.operationId);
  if (!isOurs) throw inProgress({ ...stored, startedAtMs: tools.nowMs() }, tools);
  return { kind: 'attempt' };
}

/** Counts the replay first, so that 500 at once still get 3, and makes sure that the first log row exists. */
async function replay(
  operation: Operation,
  claim: IdempotencyClaim,
  earlier: Charge,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<ClaimResult> {
  const { wallet, numberTag } = operation;
  const isOld = tools.nowMs() >= Date.parse(earlier.decidedAt) + REPLAY_WINDOW_MS;
  const isCounted =
    !isOld &&
    (await tables.idempotency.countReplay(wallet, claim.keyHash, earlier.operationId, operation.id));
  if (!isCounted) throw new ServiceError('REPLAY_EXHAUSTED');
  try {
    // The same fingerprint means the same number, so our tag is the tag of the first row.
    await tables.log.writeOnce(logEntryOf(earlier, wallet, numberTag));
  } catch (error) {
    await tables.idempotency
      .returnReplay(wallet, claim.keyHash, earlier.operationId, operation.id)
      .catch(() => undefined);
    throw error;
  }
  return { kind: 'replay', of: earlier };
}

function inProgress(stored: Idempotency, tools: LedgerTools): ServiceError {
  return new ServiceError('REQUEST_IN_PROGRESS', { retryAfterSeconds: waitSeconds(stored, tools.nowMs()) });
}
