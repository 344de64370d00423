import { exportPerson } from '../../shared/operators/actions/privacy.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /privacy/export: `admin privacy export`. */
export const handler = operatorHandler('privacy export', exportPerson);
