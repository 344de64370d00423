import { setRate } from '../../shared/operators/actions/organisations.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /org/set-rate: `admin org set-rate`. */
export const handler = operatorHandler('org set-rate', setRate);
