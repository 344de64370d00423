import { warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { BVN_PROVIDERS, CAC_PROVIDERS, NIN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { matchRecord } from '../shared/verifications/match-record.ts';
import { verificationRoute } from '../shared/verifications/middleware/charged-route.ts';
import { verificationDependencies } from '../shared/verifications/middleware/dependencies.ts';
import { gatewayBody } from '../shared/verifications/requests.ts';

const deps = verificationDependencies({ ...NIN_PROVIDERS, ...BVN_PROVIDERS, ...CAC_PROVIDERS });

/** POST /v1/identities/verify: the unified gateway for NIN, BVN and CAC. */
export const handler = verificationRoute(
  { name: 'verify-identity', errorStyle: 'gateway', body: gatewayBody, matchRecord },
  deps,
);
export const warm = () => warmUpRoute(deps, fetchSecrets);
