import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { createKey } from '../../shared/operators/actions/keys.ts';

/** POST /key/create: `admin key create`. */
export const handler = operatorHandler('key create', createKey);
