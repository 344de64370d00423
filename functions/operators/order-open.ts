import { openOrder } from '../../shared/operators/actions/orders.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /order/open: `admin order open`. */
export const handler = operatorHandler('order open', openOrder);
