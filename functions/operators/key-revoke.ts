import { operatorHandler } from '../../shared/http/operators/chain.ts';
import { revokeKey } from '../../shared/operators/actions/keys.ts';

/** POST /key/revoke: `admin key revoke`. */
export const handler = operatorHandler('key revoke', revokeKey);
