import { updateKey } from '../../shared/operators/actions/keys.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /key/update: `admin key update`. */
export const handler = operatorHandler('key update', updateKey);
