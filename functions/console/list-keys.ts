import { keyDependencies, listKeys, readKeys } from '../../shared/accounts/console/keys.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = keyDependencies();

/** GET /console/api/keys: the API keys of the organisation. */
export const handler = consoleRoute('list-keys', listKeys(deps), { prefetch: readKeys(deps) });
