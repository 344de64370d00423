import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { rotateKey } from '../../shared/operators/actions/keys.ts';

/** POST /key/rotate: `admin key rotate`. */
export const handler = operatorHandler('key rotate', rotateKey);
