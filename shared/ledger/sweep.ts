import { ENVIRONMENTS } from '../core/environment.ts';
import type { WalletId } from '../core/keys.ts';
import { type LedgerTables, type LedgerTools, persist } from './dependencies.ts';
import type { Operation } from './operation.ts';
import { factsWithoutLookUp } from './operation.ts';
import { type Charge, consumes, logEntryOf, voidRow } from './rows/charge.ts';
import {
  HOLD_LIFE_MS,
  type Hold,
  isQuarantined,
  operationIdOf,
  type PlacedHold,
  type WalletShard,
} from './rows/wallet.ts';

/** What one sweep did and saw: the counts are metrics, and nothing here names a customer's number. */
export interface SweepReport {
  shards: number;
  open: number;
  settled: number;
  returned: number;
  failed: number;
  quarantined: number;
  /** Age of the oldest hold that is left, from its request; 0 where none is. */
  oldestHoldMs: number;
}

/** Shards read at once. */
const PAGE = 100;
/** A conflict with a top-up is no failure of the hold: five of those would quarantine it. */
const SWEEP_TRIES = 3;

/**
 * Settles what requests left behind (ledger design, step 5): every hold whose operation is charged is cleared, every
 * other one past its expiry is decided VOID if nobody decided before, and returned. A hold that fails five times is
 * left to a person. Calls `onFailure` for each hold that failed and goes on.
 */
export async function sweepHolds(
  tables: LedgerTables,
  tools: LedgerTools,
  onFailure: (error: unknown, holdId: string) => void,
): Promise<SweepReport> {
  const report: SweepReport = {
    shards: 0,
    open: 0,
    settled: 0,
    returned: 0,
    failed: 0,
    quarantined: 0,
    oldestHoldMs: 0,
  };
  for (const env of ENVIRONMENTS) {
    const places = await tables.shards.listShards(env);
    report.shards += places.length;
    for (let first = 0; first < places.length; first += PAGE) {
      const rows = await tables.shards.getShards(places.slice(first, first + PAGE));
      for (const { wallet, row } of rows) await sweepShard(wallet, row, report, tables, tools, onFailure);
    }
  }
  return report;
}

async function sweepShard(
  wallet: WalletId,
  row: WalletShard,
  report: SweepReport,
  tables: LedgerTables,
  tools: LedgerTools,
  onFailure: (error: unknown, holdId: string) => void,
): Promise<void> {
  for (const [holdId, entry] of Object.entries(row.holds)) {
    const placed = { shard: row.shard, holdId };
    const sweep = () => sweepHold(wallet, placed, entry, tables, tools);
    const result = isQuarantined(entry)
      ? 'quarantined'
      : await persist(SWEEP_TRIES, tools, sweep).catch(async (error: unknown) => {
          onFailure(error, holdId);
          await tables.wallets.countSweepFailure(wallet, placed).catch(() => undefined);
          return 'failed' as const;
        });
    report[result] += 1;
    if (result === 'settled' || result === 'returned') continue;
    const ageMs = tools.nowMs() - (entry.expiresAtMs - HOLD_LIFE_MS);
    report.oldestHoldMs = Math.max(report.oldestHoldMs, ageMs);
  }
}

async function sweepHold(
  wallet: WalletId,
  placed: PlacedHold,
  entry: Hold,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<'open' | 'settled' | 'returned'> {
  const operationId = operationIdOf(placed.holdId);
  const isPast = tools.nowMs() >= entry.expiresAtMs;
  const decided = await tables.charges.getCharge(wallet, operationId);
  if (!isPast) {
    if (!decided || !consumes(decided, placed)) return 'open';
    const isLogged = await tables.log.exists({ wallet, numberTag: entry.numberTag, operationId });
    return isLogged ? settle(wallet, placed, tables) : 'open';
  }
  const stored = decided ?? (await decideAbandoned(wallet, operationId, entry, tables, tools));
  if (stored.state === 'VOID' || consumes(stored, placed))
    await tables.log.writeOnce(logEntryOf(stored, wallet, entry.numberTag));
  if (consumes(stored, placed)) return settle(wallet, placed, tables);
  await tables.wallets.releaseHold(wallet, placed, entry.cost);
  return 'returned';
}

async function settle(wallet: WalletId, placed: PlacedHold, tables: LedgerTables): Promise<'settled'> {
  await tables.wallets.clearHolds(wallet, placed.shard, [placed.holdId]);
  return 'settled';
}

/** Nobody decided in the hold's whole life: VOID, if it is the first row. Returns the row that stands. */
function decideAbandoned(
  wallet: WalletId,
  operationId: string,
  entry: Hold,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<Charge> {
  const operation: Operation = {
    ...entry,
    id: operationId,
    wallet,
    requestedAtMs: entry.expiresAtMs - HOLD_LIFE_MS,
  };
  const facts = factsWithoutLookUp('ABANDONED', 500);
  return tables.charges.decide(wallet, voidRow(operation, facts, tools.nowMs()));
}
