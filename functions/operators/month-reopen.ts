import { reopenMonth } from '../../shared/operators/actions/months.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /month/reopen: `admin month reopen`. */
export const handler = operatorHandler('month reopen', reopenMonth);
