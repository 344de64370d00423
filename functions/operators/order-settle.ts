import { settleOrder } from '../../shared/operators/actions/orders.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /order/settle: `admin order settle`. */
export const handler = operatorHandler('order settle', settleOrder);
