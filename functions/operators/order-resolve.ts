import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { resolveOrder } from '../../shared/operators/actions/orders.ts';

/** POST /order/resolve: `admin order resolve`. */
export const handler = operatorHandler('order resolve', resolveOrder);
