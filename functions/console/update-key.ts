import { updateKeyBody } from '../../shared/accounts/console/bodies.ts';
import { keyDependencies, readKeys, updateKey } from '../../shared/accounts/console/keys.ts';
import { consoleMail } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = keyDependencies();

export const handler = consoleRoute('update-key', updateKey(deps, consoleMail()), {
  body: updateKeyBody,
  prefetch: readKeys(deps),
});
