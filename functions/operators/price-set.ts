import { setCreditPrice } from '../../shared/operators/actions/prices.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /price/set: `admin price set`. */
export const handler = operatorHandler('price set', setCreditPrice);
