import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { erasePerson } from '../../shared/operators/actions/privacy.ts';

/** POST /privacy/erase: `admin privacy erase`. */
export const handler = operatorHandler('privacy erase', erasePerson);
