import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { openOrder } from '../../shared/operators/actions/orders.ts';

/** POST /order/open: `admin order open`. */
export const handler = operatorHandler('order open', openOrder);
