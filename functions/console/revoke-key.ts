import { consoleRoute } from '../../shared/http/console/chain.ts';
import { keyDependencies, readKeys, revokeKey } from '../../shared/http/console/routes/keys.ts';

const deps = keyDependencies();

/** POST /console/api/keys/{id}/revoke: revokes an API key. */
export const handler = consoleRoute('revoke-key', revokeKey(deps), { prefetch: readKeys(deps) });
