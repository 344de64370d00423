import { setting } from '../../core/config.ts';
import { database } from '../../core/database.ts';
import { type IdentityProvider, identityProvider } from '../identity-provider.ts';
import { membershipTable } from '../membership-table.ts';
import { personTable } from '../person-table.ts';
import { sessionTable } from '../session-table.ts';
import type { SignInTables } from '../sign-in.ts';
import { readClientSecret } from '../user-pool.ts';
import type { EndSessionDependencies } from './end-session.ts';

/** The identity provider of this stage. */
export function stageIdentityProvider(): IdentityProvider {
  const clientId = setting('SIGN_IN_CLIENT_ID');
  const userPoolId = setting('SIGN_IN_POOL_ID');
  return identityProvider({
    issuer: setting('SIGN_IN_ISSUER'),
    clientId,
    clientSecret: () => readClientSecret(userPoolId, clientId),
    isLocal: setting('STAGE') === 'local',
  });
}

/** For finish-sign-in. */
export function signInTables(): SignInTables {
  const client = database();
  const table = setting('CONSOLE_TABLE');
  return {
    persons: personTable(client, table),
    memberships: membershipTable(client, table),
    sessions: sessionTable(client, table),
  };
}

/** For end-session. */
export function endSessionDependencies(): EndSessionDependencies {
  const client = database();
  const table = setting('CONSOLE_TABLE');
  return {
    sessions: sessionTable(client, table),
    persons: personTable(client, table),
    memberships: membershipTable(client, table),
    provider: stageIdentityProvider(),
  };
}
