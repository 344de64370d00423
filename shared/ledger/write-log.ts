import type { Clock } from '../core/clock.ts';
import { timeBudget } from '../core/time-budget.ts';
import type { LedgerTables } from './dependencies.ts';
import type { LogEntry } from './rows/log-entry.ts';

type Tables = Pick<LedgerTables, 'log' | 'idempotency'>;

/**
 * Writes the log row from the request itself. A process that was frozen past its deadline may continue after an
 * erasure, so it then writes like the sweeper. Sends the row once, so that every send follows a check of the time.
 */
export async function logRequest(entry: LogEntry, tables: Tables, clock: Clock): Promise<void> {
  if (clock.nowMs() < timeBudget(Date.parse(entry.requestedAt)).respondByMs)
    await tables.log.writeOnce(entry);
  else await logLate(entry, tables);
}

/**
 * For an operation whose request may have ended long ago. If the number has been erased since, the row has no details
 * and a tag that does not depend on the number, and the fingerprint is cleared first.
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
