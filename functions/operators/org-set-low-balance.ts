import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { setLowBalance } from '../../shared/operators/actions/organisations.ts';

/** POST /org/set-low-balance: `admin org set-low-balance`. */
export const handler = operatorHandler('org set-low-balance', setLowBalance);
