import type { WalletId } from '../core/keys.ts';
import { jitterMs, type LedgerTools } from './dependencies.ts';
import { type Balance, balanceOf } from './rows/wallet.ts';
import type { ShardTable } from './tables/shard-table.ts';

const TRIES = 8;

/**
 * Reads the totals of a wallet of `shards` shards in one snapshot. Shards that are read one after another can show a sum
 * that never existed, because credits move between them. Returns undefined if concurrent writes cancelled every try.
 */
export async function readBalance(
  wallet: WalletId,
  shards: number,
  table: Pick<ShardTable, 'snapshot'>,
  tools: LedgerTools,
): Promise<Balance | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const all = await table.snapshot(wallet, shards);
    if (all) return balanceOf(all);
    await tools.pause(jitterMs(tries, tools));
  }
  return undefined;
}
