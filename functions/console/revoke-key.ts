import { keyDependencies, readKeys, revokeKey } from '../../shared/accounts/console/keys.ts';
import { consoleMail } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

const deps = keyDependencies();

export const handler = consoleRoute('revoke-key', revokeKey(deps, consoleMail()), {
  prefetch: readKeys(deps),
});
