import { warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { TIN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { verificationRoute } from '../shared/verifications/middleware/charged-route.ts';
import { verificationDependencies } from '../shared/verifications/middleware/dependencies.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

const deps = verificationDependencies(TIN_PROVIDERS);

/** POST /v1/ng/tin-basic: the taxpayer that a TIN identifies. */
export const handler = verificationRoute(
  { name: 'tin-basic', idType: 'TIN', body: dedicatedBody('tin-basic') },
  deps,
);
export const warm = () => warmUpRoute(deps, fetchSecrets);
