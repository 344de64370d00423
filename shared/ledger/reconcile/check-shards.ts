import { ENVIRONMENTS } from '../../core/environment.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import { isUnused, type WalletShard } from '../rows/wallet.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import type { ShardTable } from '../tables/shard-table.ts';
import { type Difference, difference } from './rows.ts';

/** A row of a wallet or shard that no organisation used when the run began. */
export interface Stray {
  readonly wallet: WalletId;
  readonly shard: number;
  /** The difference if the organisation exists, but does not use the shard. */
  readonly difference?: Difference;
}

/** The number of shards in one read. */
const PAGE = 100;

/** Finds shards that belong to no organisation, or that are not empty although their organisation does not use them. */
export async function checkShards(
  wallets: readonly StatementScope[],
  table: Pick<ShardTable, 'listShards' | 'getShards'>,
  day: string,
): Promise<Stray[]> {
  const countOf = shardCounts(wallets);
  const strays: Stray[] = [];
  for (const env of ENVIRONMENTS) {
    const refs = await table.listShards(env);
    strays.push(...refs.filter(({ wallet }) => !countOf.has(walletName(wallet))));
    const spare = refs.filter(({ wallet, shard }) => shard >= (countOf.get(walletName(wallet)) ?? shard + 1));
    for (let first = 0; first < spare.length; first += PAGE)
      for (const { wallet, row } of await table.getShards(spare.slice(first, first + PAGE)))
        strays.push(...strayShard(wallet, row, day));
  }
  return strays;
}

/** Returns a shard that its organisation does not use, unless the shard is empty. */
export function strayShard(wallet: WalletId, row: WalletShard, day: string): Stray[] {
  if (isUnused(row)) return [];
  const held = Object.values(row.holds).reduce((sum, { cost }) => sum + cost, 0);
  const unreachable = difference('unreachable-shard', wallet, { day }, 0, row.available + held);
  return [{ wallet, shard: row.shard, difference: unreachable }];
}

/** Returns the differences of the strays that no organisation uses now. `wallets` are those of all organisations. */
export function strayDifferences(
  strays: Iterable<Stray>,
  wallets: readonly StatementScope[],
  day: string,
): Difference[] {
  const countOf = shardCounts(wallets);
  return [...strays].flatMap(({ wallet, shard, difference: ofShard }) => {
    const count = countOf.get(walletName(wallet));
    if (count === undefined)
      return [difference('unknown-wallet', wallet, { day }, 'an organisation', 'none')];
    return ofShard && !(shard >= 0 && shard < count) ? [ofShard] : [];
  });
}

function shardCounts(wallets: readonly StatementScope[]): ReadonlyMap<string, number> {
  return new Map(wallets.map(({ wallet, shards }) => [walletName(wallet), shards]));
}
