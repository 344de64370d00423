import { consoleRoute } from '../../shared/http/console/chain.ts';
import { createKey, createKeyBody, keyDependencies } from '../../shared/http/console/routes/keys.ts';

/** POST /console/api/keys: creates an API key. */
export const handler = consoleRoute('create-key', createKey(keyDependencies()), { body: createKeyBody });
