import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { setCreditPrice } from '../../shared/operators/actions/prices.ts';

/** POST /price/set: `admin price set`. */
export const handler = operatorHandler('price set', setCreditPrice);
