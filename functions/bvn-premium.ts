import { warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { BVN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { matchRecord } from '../shared/verifications/match-record.ts';
import { verificationRoute } from '../shared/verifications/middleware/charged-route.ts';
import { verificationDependencies } from '../shared/verifications/middleware/dependencies.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

const deps = verificationDependencies(BVN_PROVIDERS);

/** POST /v1/ng/bvn-premium: the complete record of a BVN. */
export const handler = verificationRoute(
  { name: 'bvn-premium', idType: 'BVN', body: dedicatedBody('bvn-premium'), matchRecord },
  deps,
);
export const warm = () => warmUpRoute(deps, fetchSecrets);
