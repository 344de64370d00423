import { setLowBalance } from '../../shared/operators/actions/organisations.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /org/set-low-balance: `admin org set-low-balance`. */
export const handler = operatorHandler('org set-low-balance', setLowBalance);
