import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { correct } from '../../shared/operators/actions/wallets.ts';

/** POST /wallet/correct: `admin wallet correct`. */
export const handler = operatorHandler('wallet correct', correct);
