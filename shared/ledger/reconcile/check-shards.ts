import { ENVIRONMENTS, type Environment } from '../../core/environment.ts';
import { type ShardRef, type WalletId, walletName, walletsIndexKey } from '../../core/keys.ts';
import { isUnused, type WalletShard } from '../rows/wallet.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import type { ShardTable } from '../tables/shard-table.ts';
import { type Difference, difference } from './rows.ts';

/** A row of a wallet or shard that no organisation used when the run began, or a shard that is not listed. */
export interface Stray {
  readonly wallet: WalletId;
  readonly shard: number;
  /** The difference if the organisation exists, but does not use the shard. */
  readonly difference?: Difference;
  /** The organisation uses the shard, but the list lacks it. */
  readonly isHidden?: true;
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
    strays.push(...(await hiddenShards(wallets, env, refs, table, day)));
    strays.push(...refs.filter(({ wallet }) => !countOf.has(walletName(wallet))));
    const spare = refs.filter(({ wallet, shard }) => shard >= (countOf.get(walletName(wallet)) ?? shard + 1));
    for (let first = 0; first < spare.length; first += PAGE)
      for (const { wallet, row } of await table.getShards(spare.slice(first, first + PAGE)))
        strays.push(...strayShard(wallet, row, day));
  }
  return strays;
}

/** The sweeper finds holds through the same list. */
async function hiddenShards(
  wallets: readonly StatementScope[],
  env: Environment,
  listed: readonly ShardRef[],
  table: Pick<ShardTable, 'getShards'>,
  day: string,
): Promise<Stray[]> {
  const names = new Set(listed.map(({ wallet, shard }) => `${walletName(wallet)} ${shard}`));
  const hidden = wallets
    .filter(({ wallet }) => wallet.env === env)
    .flatMap(({ wallet, shards }) => Array.from({ length: shards }, (_, shard) => ({ wallet, shard })))
    .filter(({ wallet, shard }) => !names.has(`${walletName(wallet)} ${shard}`));
  const strays: Stray[] = [];
  for (let first = 0; first < hidden.length; first += PAGE)
    for (const { wallet, row } of await table.getShards(hidden.slice(first, first + PAGE))) {
      const ofKey = difference(
        'row-keys',
        wallet,
        { day },
        walletsIndexKey(env),
        `shard ${row.shard} hidden`,
      );
      // An index shows a new shard late.
      if (!isUnused(row)) strays.push({ wallet, shard: row.shard, difference: ofKey, isHidden: true });
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
  return [...strays].flatMap(({ wallet, shard, isHidden, difference: ofShard }) => {
    const count = countOf.get(walletName(wallet));
    if (count === undefined)
      return [difference('unknown-wallet', wallet, { day }, 'an organisation', 'none')];
    const isUsed = shard >= 0 && shard < count;
    return ofShard && isUsed === (isHidden ?? false) ? [ofShard] : [];
  });
}

function shardCounts(wallets: readonly StatementScope[]): ReadonlyMap<string, number> {
  return new Map(wallets.map(({ wallet, shards }) => [walletName(wallet), shards]));
}
