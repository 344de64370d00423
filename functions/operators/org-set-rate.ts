import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { setRate } from '../../shared/operators/actions/organisations.ts';

/** POST /org/set-rate: `admin org set-rate`. */
export const handler = operatorHandler('org set-rate', setRate);
