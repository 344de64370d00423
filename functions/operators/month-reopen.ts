import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { reopenMonth } from '../../shared/operators/actions/months.ts';

/** POST /month/reopen: `admin month reopen`. */
export const handler = operatorHandler('month reopen', reopenMonth);
