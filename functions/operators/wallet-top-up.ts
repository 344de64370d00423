import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { topUp } from '../../shared/operators/actions/wallets.ts';

/** POST /wallet/top-up: `admin wallet top-up`. */
export const handler = operatorHandler('wallet top-up', topUp);
