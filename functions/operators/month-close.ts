import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { closeMonth } from '../../shared/operators/actions/months.ts';

/** POST /month/close: `admin month close`. */
export const handler = operatorHandler('month close', closeMonth);
