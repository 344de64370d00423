import { caller } from '../../accounts/middleware/caller.ts';
import { type Clock, REAL_CLOCK } from '../../core/clock.ts';
import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import type { Run } from '../../http/public-route.ts';
import { noQuery, readQuery } from '../../http/query.ts';
import { type BalanceTable, readBalance } from '../read-balance.ts';
import { shardTable } from '../tables/shard-table.ts';
import { walletBusy } from './wallet-busy.ts';

const realShards = () => shardTable(database(), setting('WALLETS_TABLE'));

/** GET /v1/wallet/balance: the balance, from one snapshot of all shards if the wallet is not too busy (contract E7). */
export function showBalance(shards: BalanceTable = realShards(), clock: Clock = REAL_CLOCK): Run {
  return async (requestContext, event) => {
    const { env, organisation } = caller.of(requestContext);
    readQuery(event, noQuery);
    const wallet = { env, organisationId: organisation.id };
    const balance = await readBalance(wallet, organisation.walletShards, shards, clock);
    if (!balance) throw walletBusy();
    const { available, held } = balance;
    return {
      kind: 'information',
      code: 'WALLET_BALANCE',
      message: 'Wallet balance.',
      data: { environment: env, available, held, currency: 'credits' },
    };
  };
}
