import { ENVIRONMENTS } from '../../core/environment.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import { isUnused } from '../rows/wallet.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import type { ShardTable } from '../tables/shard-table.ts';
import { type Difference, difference } from './rows.ts';

/** The number of shards in one read. */
const PAGE = 100;

interface ShardsOfNoWallet {
  readonly differences: readonly Difference[];
  readonly unknown: readonly WalletId[];
}

/** Finds shards that belong to no organisation, or that are not empty although their organisation does not use them. */
export async function checkShards(
  wallets: readonly StatementScope[],
  table: Pick<ShardTable, 'listShards' | 'getShards'>,
  day: string,
): Promise<ShardsOfNoWallet> {
  const countOf = new Map(wallets.map(({ wallet, shards }) => [walletName(wallet), shards]));
  const unknown: WalletId[] = [];
  const differences: Difference[] = [];
  for (const env of ENVIRONMENTS) {
    const refs = await table.listShards(env);
    unknown.push(
      ...refs.filter(({ wallet }) => !countOf.has(walletName(wallet))).map(({ wallet }) => wallet),
    );
    const spare = refs.filter(({ wallet, shard }) => shard >= (countOf.get(walletName(wallet)) ?? shard + 1));
    for (let first = 0; first < spare.length; first += PAGE)
      for (const { wallet, row } of await table.getShards(spare.slice(first, first + PAGE)))
        if (!isUnused(row)) {
          const held = Object.values(row.holds).reduce((sum, { cost }) => sum + cost, 0);
          differences.push(difference('unreachable-shard', wallet, { day }, 0, row.available + held));
        }
  }
  return { differences, unknown };
}
