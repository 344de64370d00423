import { rotateKey } from '../../shared/operators/actions/keys.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /key/rotate: `admin key rotate`. */
export const handler = operatorHandler('key rotate', rotateKey);
