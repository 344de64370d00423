import type { Clock } from '../core/clock.ts';
import type { WalletId } from '../core/keys.ts';
import { jitterMs } from './dependencies.ts';
import { type Balance, balanceOf, type WalletShard } from './rows/wallet.ts';
import type { ShardTable } from './tables/shard-table.ts';

export type BalanceTable = Pick<ShardTable, 'snapshot' | 'getShards' | 'withoutSpentHolds'>;

const SNAPSHOT_ATTEMPTS = 4;
const PAIR_ATTEMPTS = 8;

/**
 * Reads the totals of a wallet with `shards` shards, in one snapshot if concurrent writes allow it. Returns undefined
 * if credits are added too often for a consistent reading. Charged holds are not held (contract E7).
 */
export async function readBalance(
  wallet: WalletId,
  shards: number,
  table: BalanceTable,
  clock: Clock,
): Promise<Balance | undefined> {
  for (let attempts = 0; attempts < SNAPSHOT_ATTEMPTS; attempts += 1) {
    const all = await table.snapshot(wallet, shards);
    if (all) return balanceOf(await table.withoutSpentHolds(wallet, all));
    await clock.pause(jitterMs(attempts, clock));
  }
  return readTwice(wallet, shards, table, clock);
}

/**
 * Reads the shards without a transaction, so that no write cancels the read, until two readings show the same credits.
 * No credit was then added between the two, and `moved` removes the effect of transfers. The result is thus the balance
 * at the time between the readings, apart from holds that requests placed or released during the second one
 * (docs/design/ledger.md, "Balances").
 */
async function readTwice(
  wallet: WalletId,
  shards: number,
  table: BalanceTable,
  clock: Clock,
): Promise<Balance | undefined> {
  const refs = Array.from({ length: shards }, (_, shard) => ({ wallet, shard }));
  const read = async () => (await table.getShards(refs)).map(({ row }) => row);
  let earlier = await read();
  for (let attempts = 0; attempts < PAIR_ATTEMPTS; attempts += 1) {
    const later = await read();
    if (hasSameCredits(earlier, later))
      return balanceApartFromTransfers(await table.withoutSpentHolds(wallet, later));
    earlier = later;
    await clock.pause(jitterMs(attempts, clock));
  }
  return undefined;
}

function hasSameCredits(earlier: readonly WalletShard[], later: readonly WalletShard[]): boolean {
  const credited = new Map(earlier.map((row) => [row.shard, row.credited]));
  return later.every((row) => credited.get(row.shard) === row.credited);
}

function balanceApartFromTransfers(rows: readonly WalletShard[]): Balance {
  const { available, ...totals } = balanceOf(rows);
  const moved = rows.reduce((total, row) => total + (row.moved ?? 0), 0);
  // The difference can be negative: the reading may include a hold, but miss the release that freed its credits.
  return { ...totals, available: Math.max(0, available - moved) };
}
