import { createKey } from '../../shared/operators/actions/keys.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /key/create: `admin key create`. */
export const handler = operatorHandler('key create', createKey);
