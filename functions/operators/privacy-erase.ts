import { erasePerson } from '../../shared/operators/actions/privacy.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /privacy/erase: `admin privacy erase`. */
export const handler = operatorHandler('privacy erase', erasePerson);
