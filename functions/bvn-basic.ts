import { warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { BVN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { matchRecord } from '../shared/verifications/match-record.ts';
import { verificationRoute } from '../shared/verifications/middleware/charged-route.ts';
import { verificationDependencies } from '../shared/verifications/middleware/dependencies.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

const deps = verificationDependencies(BVN_PROVIDERS);

/** POST /v1/ng/bvn-basic: the core identity fields and the photo of a BVN. */
export const handler = verificationRoute(
  { name: 'bvn-basic', idType: 'BVN', body: dedicatedBody('bvn-basic'), matchRecord },
  deps,
);
export const warm = () => warmUpRoute(deps, fetchSecrets);
