import { withdrawSlip } from '../../shared/operators/actions/slips.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /slip/withdraw: `admin slip withdraw`. */
export const handler = operatorHandler('slip withdraw', withdrawSlip);
