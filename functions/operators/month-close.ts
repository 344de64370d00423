import { closeMonth } from '../../shared/operators/actions/months.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /month/close: `admin month close`. */
export const handler = operatorHandler('month close', closeMonth);
