import { setBilling } from '../../shared/operators/actions/prices.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /billing/set: `admin billing set`. */
export const handler = operatorHandler('billing set', setBilling);
