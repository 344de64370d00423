import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { settleOrder } from '../../shared/operators/actions/orders.ts';

/** POST /order/settle: `admin order settle`. */
export const handler = operatorHandler('order settle', settleOrder);
