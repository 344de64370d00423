import { topUp } from '../../shared/operators/actions/wallets.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /wallet/top-up: `admin wallet top-up`. */
export const handler = operatorHandler('wallet top-up', topUp);
