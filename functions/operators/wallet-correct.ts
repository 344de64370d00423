import { correct } from '../../shared/operators/actions/wallets.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /wallet/correct: `admin wallet correct`. */
export const handler = operatorHandler('wallet correct', correct);
