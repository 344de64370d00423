import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { approve } from '../../shared/operators/actions/approve.ts';

/** POST /approve: `admin approve`. */
export const handler = operatorHandler('approve', approve);
