import { warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { NIN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { matchRecord } from '../shared/verifications/match-record.ts';
import { verificationRoute } from '../shared/verifications/middleware/charged-route.ts';
import { verificationDependencies } from '../shared/verifications/middleware/dependencies.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

const deps = verificationDependencies(NIN_PROVIDERS);

/** POST /v1/ng/nin-basic: the core identity fields and the photo of a NIN. */
export const handler = verificationRoute(
  { name: 'nin-basic', idType: 'NIN', body: dedicatedBody('nin-basic'), matchRecord },
  deps,
);
export const warm = () => warmUpRoute(deps, fetchSecrets);
