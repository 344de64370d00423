import { createKeyBody } from '../../shared/accounts/console/bodies.ts';
import { createKey, keyDependencies } from '../../shared/accounts/console/keys.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

/** POST /console/api/keys: creates an API key. */
export const handler = consoleRoute('create-key', createKey(keyDependencies()), { body: createKeyBody });
