import { createKeyBody } from '../../shared/accounts/console/bodies.ts';
import { createKey, keyDependencies } from '../../shared/accounts/console/keys.ts';
import { consoleMail } from '../../shared/members/console/team-dependencies.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = consoleRoute('create-key', createKey(keyDependencies(), consoleMail()), {
  body: createKeyBody,
});
