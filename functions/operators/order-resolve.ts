import { resolveOrder } from '../../shared/operators/actions/orders.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /order/resolve: `admin order resolve`. */
export const handler = operatorHandler('order resolve', resolveOrder);
