import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { exportPerson } from '../../shared/operators/actions/privacy.ts';

/** POST /privacy/export: `admin privacy export`. */
export const handler = operatorHandler('privacy export', exportPerson);
