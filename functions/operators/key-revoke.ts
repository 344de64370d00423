import { revokeKey } from '../../shared/operators/actions/keys.ts';
import { operatorHandler } from '../../shared/operators/routes/chain.ts';

/** POST /key/revoke: `admin key revoke`. */
export const handler = operatorHandler('key revoke', revokeKey);
