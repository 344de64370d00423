import { createKey, createKeyBody, keyDependencies } from '../../shared/accounts/console/keys.ts';
import { consoleRoute } from '../../shared/http/console/chain.ts';

/** POST /console/api/keys: creates an API key. */
export const handler = consoleRoute('create-key', createKey(keyDependencies()), { body: createKeyBody });
