import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { balanceOf } from '../../ledger/rows/wallet.ts';
import { type ShardTable, shardTable } from '../../ledger/tables/shard-table.ts';
import type { Run } from '../chains.ts';
import { noQuery, readQuery } from '../query.ts';

const realShards = () => shardTable(database(), setting('WALLETS_TABLE'));

/** GET /v1/wallet/balance. `held` may include charged holds that are still being settled (decision E7). */
export function showBalance(shards: Pick<ShardTable, 'getShards'> = realShards()): Run {
  return async ({ caller: { env, organisation } }, event) => {
    readQuery(event, noQuery);
    const wallet = { env, organisationId: organisation.id };
    const refs = Array.from({ length: organisation.walletShards }, (_, shard) => ({ wallet, shard }));
    const rows = await shards.getShards(refs);
    const { available, held } = balanceOf(rows.map(({ row }) => row));
    return {
      kind: 'information',
      code: 'WALLET_BALANCE',
      message: 'Wallet balance.',
      data: { environment: env, available, held, currency: 'credits' },
    };
  };
}
