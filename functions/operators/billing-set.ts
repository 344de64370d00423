import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { setBilling } from '../../shared/operators/actions/prices.ts';

/** POST /billing/set: `admin billing set`. */
export const handler = operatorHandler('billing set', setBilling);
