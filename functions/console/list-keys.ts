import { keyDependencies, listKeys, readKeys } from '../../shared/accounts/console/keys.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = keyDependencies();

export const handler = consoleRoute('list-keys', listKeys(deps), { prefetch: readKeys(deps) });
