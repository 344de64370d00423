import { warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { CAC_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { verificationRoute } from '../shared/verifications/middleware/charged-route.ts';
import { verificationDependencies } from '../shared/verifications/middleware/dependencies.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

const deps = verificationDependencies(CAC_PROVIDERS);

/** POST /v1/ng/cac-premium: a company, its directors, and its shareholders with their percentages. */
export const handler = verificationRoute(
  { name: 'cac-premium', idType: 'CAC', body: dedicatedBody('cac-premium') },
  deps,
);
export const warm = () => warmUpRoute(deps, fetchSecrets);
