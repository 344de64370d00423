import { consoleRoute } from '../../shared/http/console/chain.ts';
import {
  keyDependencies,
  readKeys,
  rotateKey,
  rotateKeyBody,
} from '../../shared/http/console/routes/keys.ts';

const deps = keyDependencies();

/** POST /console/api/keys/{id}/rotate: replaces an API key. */
export const handler = consoleRoute('rotate-key', rotateKey(deps), {
  body: rotateKeyBody,
  prefetch: readKeys(deps),
});
