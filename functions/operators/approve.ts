import { approve } from '../../shared/operators/actions/approve.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /approve: `admin approve`. */
export const handler = operatorHandler('approve', approve);
