import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { endCreditPrice } from '../../shared/operators/actions/prices.ts';

/** POST /price/end: `admin price end`. */
export const handler = operatorHandler('price end', endCreditPrice);
