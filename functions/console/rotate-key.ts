import { rotateKeyBody } from '../../shared/accounts/console/bodies.ts';
import { keyDependencies, readKeys, rotateKey } from '../../shared/accounts/console/keys.ts';
import { consoleMail } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = keyDependencies();

export const handler = consoleRoute('rotate-key', rotateKey(deps, consoleMail()), {
  body: rotateKeyBody,
  prefetch: readKeys(deps),
});
