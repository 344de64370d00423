import { endCreditPrice } from '../../shared/operators/actions/prices.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /price/end: `admin price end`. */
export const handler = operatorHandler('price end', endCreditPrice);
