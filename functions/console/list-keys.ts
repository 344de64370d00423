import { consoleRoute } from '../../shared/http/console/chain.ts';
import { keyDependencies, listKeys, readKeys } from '../../shared/http/console/routes/keys.ts';

const deps = keyDependencies();

/** GET /console/api/keys: the API keys of the organisation. */
export const handler = consoleRoute('list-keys', listKeys(deps), { prefetch: readKeys(deps) });
