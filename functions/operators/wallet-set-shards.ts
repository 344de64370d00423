import { setShards } from '../../shared/operators/actions/wallets.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /wallet/set-shards: `admin wallet set-shards`. */
export const handler = operatorHandler('wallet set-shards', setShards);
