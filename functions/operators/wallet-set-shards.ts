import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { setShards } from '../../shared/operators/actions/wallets.ts';

/** POST /wallet/set-shards: `admin wallet set-shards`. */
export const handler = operatorHandler('wallet set-shards', setShards);
