import { recordPaidBack } from '../../shared/operators/actions/orders.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /credit-note/paid-back: `admin credit-note paid-back`. */
export const handler = operatorHandler('credit-note paid-back', recordPaidBack);
