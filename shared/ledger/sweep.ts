import { ENVIRONMENTS } from '../core/environment.ts';
import type { WalletId } from '../core/keys.ts';
import { type LedgerTables, type LedgerTools, retry } from './dependencies.ts';
import { factsWithoutLookUp, type Operation } from './operation.ts';
import { type Charge, consumes, logEntryOf, voidRow } from './rows/charge.ts';
import {
  HOLD_LIFE_MS,
  type Hold,
  isQuarantined,
  operationIdOf,
  type PlacedHold,
  type WalletShard,
} from './rows/wallet.ts';

/** What one sweep did. The counts are published as metrics; nothing here identifies a number. */
export interface SweepReport {
  shards: number;
  open: number;
  settled: number;
  released: number;
  failed: number;
  quarantined: number;
  /** Age of the oldest remaining hold, from its request; 0 if there is none. */
  oldestHoldMs: number;
}

/** Shards read at once. */
const PAGE = 100;
/** A conflict with a top-up is not a failure of the hold: five of those would quarantine it. */
const SWEEP_TRIES = 3;

/**
 * Settles the holds that requests left behind (ledger design, step 5). A hold whose operation is charged is cleared. Any
 * other hold past its expiry is released, after VOID is decided for its operation if nothing was decided before. A hold
 * that fails five times is quarantined for an operator. Calls `onFailure` for each hold that failed, and continues.
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
    released: 0,
    failed: 0,
    quarantined: 0,
    oldestHoldMs: 0,
  };
  for (const env of ENVIRONMENTS) {
    const refs = await tables.shards.listShards(env);
    report.shards += refs.length;
    for (let first = 0; first < refs.length; first += PAGE) {
      const rows = await tables.shards.getShards(refs.slice(first, first + PAGE));
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
    const hold = { shard: row.shard, holdId };
    const sweep = () => sweepHold(wallet, hold, entry, tables, tools);
    const result = isQuarantined(entry)
      ? 'quarantined'
      : await retry(SWEEP_TRIES, tools, sweep).catch(async (error: unknown) => {
          onFailure(error, holdId);
          await tables.wallets.countSweepFailure(wallet, hold).catch(() => undefined);
          return 'failed' as const;
        });
    report[result] += 1;
    if (result === 'settled' || result === 'released') continue;
    const ageMs = tools.nowMs() - (entry.expiresAtMs - HOLD_LIFE_MS);
    report.oldestHoldMs = Math.max(report.oldestHoldMs, ageMs);
  }
}

async function sweepHold(
  wallet: WalletId,
  hold: PlacedHold,
  entry: Hold,
  tables: LedgerTables,
  tools: LedgerTools,
): Promise<'open' | 'settled' | 'released'> {
  const operationId = operationIdOf(hold.holdId);
  const isExpired = tools.nowMs() >= entry.expiresAtMs;
  const decided = await tables.charges.getCharge(wallet, operationId);
  if (!isExpired) {
    if (!decided || !consumes(decided, hold)) return 'open';
    const isLogged = await tables.log.exists({ wallet, numberTag: entry.numberTag, operationId });
    return isLogged ? clear(wallet, hold, tables) : 'open';
  }
  const stored = decided ?? (await decideAbandoned(wallet, operationId, entry, tables, tools));
  if (stored.state === 'VOID' || consumes(stored, hold))
    await tables.log.writeOnce(logEntryOf(stored, wallet, entry.numberTag));
  if (consumes(stored, hold)) return clear(wallet, hold, tables);
  await tables.wallets.releaseHold(wallet, hold, entry.cost);
  return 'released';
}

async function clear(wallet: WalletId, hold: PlacedHold, tables: LedgerTables): Promise<'settled'> {
  await tables.wallets.clearHolds(wallet, hold.shard, [hold.holdId]);
  return 'settled';
}

/** Writes VOID if nothing was decided during the hold's whole life. Returns the stored row. */
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
