import type { Clock } from '../core/clock.ts';
import { timeBudget } from '../core/time-budget.ts';
import type { LedgerTables } from './dependencies.ts';
import type { LogEntry } from './rows/log-entry.ts';

type Tables = Pick<LedgerTables, 'log' | 'idempotency'>;

/**
 * Writes the log row from the request itself. Until the request's deadline, an erasure waits for it. A process that was
 * frozen past the deadline may continue after an erasure has ended, so it then writes like the sweeper. Each call sends
 * the row once: callers that retry call this again, so every send follows a check of the time.
 */
export async function logRequest(entry: LogEntry, tables: Tables, clock: Clock): Promise<void> {
  if (clock.nowMs() < timeBudget(Date.parse(entry.requestedAt)).respondByMs)
    await tables.log.writeOnce(entry);
  else await logLate(entry, tables);
}

/**
 * Writes the log row of an operation whose request may have ended long ago. If the number has been erased since the
 * operation began, the row has no details and a tag that does not depend on the number, and the fingerprint of its
 * idempotency row is cleared first.
 */
export async function logLate(entry: LogEntry, tables: Tables): Promise<'logged' | 'erased'> {
  if ((await tables.log.writeUnlessErased(entry)) === 'logged') return 'logged';
  const { wallet, idempotencyHash } = entry;
  if (idempotencyHash !== undefined) {
    const { erasedAtMs } = await tables.log.find(entry);
    await tables.idempotency.eraseFingerprint(wallet, idempotencyHash, erasedAtMs);
  }
  await tables.log.writeErased(entry);
  return 'erased';
}
