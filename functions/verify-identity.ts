import { warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { ALL_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { matchRecord } from '../shared/verifications/match-record.ts';
import { verificationDependencies } from '../shared/verifications/middleware/dependencies.ts';
import { gatewayBody } from '../shared/verifications/requests.ts';
import { accountRoute } from '../shared/verifications/routes/nuban-basic.ts';

const deps = verificationDependencies(ALL_PROVIDERS);

/** POST /v1/identities/verify: the unified gateway for every ID type. */
export const handler = accountRoute(
  { name: 'verify-identity', errorStyle: 'gateway', body: gatewayBody, matchRecord },
  deps,
);
export const warm = () => warmUpRoute(deps, fetchSecrets);
