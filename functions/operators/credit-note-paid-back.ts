import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { recordPaidBack } from '../../shared/operators/actions/orders.ts';

/** POST /credit-note/paid-back: `admin credit-note paid-back`. */
export const handler = operatorHandler('credit-note paid-back', recordPaidBack);
