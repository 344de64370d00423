import type { Clock } from '../core/clock.ts';
import { isTableFailure } from '../core/database.ts';
import { withDeadline } from '../core/deadline.ts';
import { ENVIRONMENTS } from '../core/environment.ts';
import { inParallel } from '../core/in-parallel.ts';
import { logPk, type ShardRef, type WalletId } from '../core/keys.ts';
import { type LedgerTables, retry } from './dependencies.ts';
import { factsWithoutLookUp, type Operation } from './operation.ts';
import { type Charge, consumes, logEntryOf, voidRow } from './rows/charge.ts';
import { HOLD_LIFE_MS, type Hold, isQuarantined, operationIdOf, type PlacedHold } from './rows/wallet.ts';
import { logLate } from './write-log.ts';

/** Nothing here identifies a number. */
export interface SweepReport {
  shards: number;
  open: number;
  settled: number;
  released: number;
  failed: number;
  quarantined: number;
  /** The next one includes them. */
  postponed: number;
  /** Counted from its request; 0 if there is none. */
  oldestHoldMs: number;
}

/** A hold that a sweep found. */
export interface FoundHold {
  readonly wallet: WalletId;
  readonly hold: PlacedHold;
  readonly entry: Hold;
}

const PAGE = 100;
const PAGES_AT_ONCE = 8;
const HOLDS_AT_ONCE = 32;
const BEGIN_WITHIN_MS = 40_000;
/** A sweep waits until this time for holds that it has begun. The function times out after 50 s. */
export const SWEEP_WITHIN_MS = 45_000;
/** A sweep of a hold is retried, because a conflict with a top-up or an erasure ends within moments. */
const SWEEP_ATTEMPTS = 3;

type OnFailure = (error: unknown, hold: FoundHold) => void;

/**
 * Settles the holds that requests left behind (docs/design/ledger.md): clears charged ones once they are logged, and releases
 * expired ones after VOID. After five failed sweeps, not counting failures of a table, a hold is quarantined. Holds of
 * one number are swept one after another, because DynamoDB cancels overlapping transactions that check the same erasure
 * marker. The oldest come first, so that no position is stored.
 */
export async function sweepHolds(
  tables: LedgerTables,
  clock: Clock,
  onFailure: OnFailure,
): Promise<SweepReport> {
  const startMs = clock.nowMs();
  const refs: ShardRef[] = [];
  for (const env of ENVIRONMENTS) refs.push(...(await tables.shards.listShards(env)));
  const found = await findHolds(refs, tables);
  const remaining = new Set(found);
  const counts = { open: 0, settled: 0, released: 0, failed: 0, quarantined: 0 };
  const sweeping = inParallelByKey(found, HOLDS_AT_ONCE, numberOf, async (one) => {
    if (clock.nowMs() >= startMs + BEGIN_WITHIN_MS) return;
    const result = await sweepFound(one, tables, clock, onFailure);
    counts[result] += 1;
    if (result === 'settled' || result === 'released') remaining.delete(one);
  });
  await withDeadline(sweeping, startMs + SWEEP_WITHIN_MS, clock.nowMs(), () => undefined);
  const swept = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const ages = [...remaining].map(({ entry }) => clock.nowMs() - (entry.expiresAtMs - HOLD_LIFE_MS));
  return {
    shards: refs.length,
    ...counts,
    postponed: found.length - swept,
    oldestHoldMs: ages.reduce((oldest, age) => Math.max(oldest, age), 0),
  };
}

async function findHolds(refs: readonly ShardRef[], tables: LedgerTables): Promise<FoundHold[]> {
  const pages = Array.from({ length: Math.ceil(refs.length / PAGE) }, (_, page) =>
    refs.slice(page * PAGE, (page + 1) * PAGE),
  );
  const found: FoundHold[] = [];
  await inParallel(pages, PAGES_AT_ONCE, async (page) => {
    for (const { wallet, row } of await tables.shards.getShards(page))
      for (const [holdId, entry] of Object.entries(row.holds))
        found.push({ wallet, hold: { shard: row.shard, holdId }, entry });
  });
  return found.sort((a, b) => a.entry.expiresAtMs - b.entry.expiresAtMs);
}

/** Items with the same key are never in flight together, and waiting items do not delay others. */
async function inParallelByKey<T>(
  items: readonly T[],
  atOnce: number,
  keyOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const inFlight = new Map<string, T[]>();
  await inParallel(items, atOnce, async (item) => {
    const key = keyOf(item);
    const sameKey = inFlight.get(key);
    if (sameKey) {
      sameKey.push(item);
      return;
    }
    const queue = [item];
    inFlight.set(key, queue);
    // The loop also reaches the items that are added while it runs.
    for (const next of queue) await work(next);
    inFlight.delete(key);
  });
}

function numberOf({ wallet, entry }: FoundHold): string {
  return logPk(wallet, entry.numberTag);
}

async function sweepFound(
  found: FoundHold,
  tables: LedgerTables,
  clock: Clock,
  onFailure: OnFailure,
): Promise<'open' | 'settled' | 'released' | 'failed' | 'quarantined'> {
  const { wallet, hold, entry } = found;
  if (isQuarantined(entry)) return 'quarantined';
  try {
    return await retry(SWEEP_ATTEMPTS, clock, () => sweepHold(wallet, hold, entry, tables, clock));
  } catch (error) {
    onFailure(error, found);
    if (!isTableFailure(error)) await tables.wallets.countSweepFailure(wallet, hold).catch(() => undefined);
    return 'failed';
  }
}

async function sweepHold(
  wallet: WalletId,
  hold: PlacedHold,
  entry: Hold,
  tables: LedgerTables,
  clock: Clock,
): Promise<'open' | 'settled' | 'released'> {
  const operationId = operationIdOf(hold.holdId);
  const isExpired = clock.nowMs() >= entry.expiresAtMs;
  const decided = await tables.charges.getCharge(wallet, operationId);
  if (!isExpired) {
    if (!decided || !consumes(decided, hold)) return 'open';
    const { isLogged } = await tables.log.find(logEntryOf(decided, wallet, entry.numberTag, entry));
    return isLogged ? clear(wallet, hold, tables) : 'open';
  }
  const stored = decided ?? (await decideAbandoned(wallet, operationId, entry, tables, clock));
  if (stored.state === 'VOID' || consumes(stored, hold))
    await logLate(logEntryOf(stored, wallet, entry.numberTag, entry), tables);
  if (consumes(stored, hold)) return clear(wallet, hold, tables);
  await tables.wallets.releaseHold(wallet, hold, entry.cost);
  return 'released';
}

async function clear(wallet: WalletId, hold: PlacedHold, tables: LedgerTables): Promise<'settled'> {
  await tables.wallets.clearHolds(wallet, hold.shard, [hold.holdId]);
  return 'settled';
}

function decideAbandoned(
  wallet: WalletId,
  operationId: string,
  entry: Hold,
  tables: LedgerTables,
  clock: Clock,
): Promise<Charge> {
  const operation: Operation = {
    ...entry,
    id: operationId,
    wallet,
    requestedAtMs: entry.expiresAtMs - HOLD_LIFE_MS,
  };
  const facts = factsWithoutLookUp('ABANDONED', 500);
  return tables.charges.decide(wallet, voidRow(operation, facts, clock.nowMs()));
}
