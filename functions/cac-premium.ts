import { fetchSecrets } from '../shared/core/secrets.ts';
import { verificationRoute } from '../shared/http/chains.ts';
import { verificationDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { CAC_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

const deps = verificationDependencies(CAC_PROVIDERS);

/** POST /v1/ng/cac-premium: a company, its directors, and its shareholders with their percentages. */
export const handler = verificationRoute(
  { name: 'cac-premium', idType: 'CAC', body: dedicatedBody('cac-premium') },
  deps,
);
export const warm = () => warmUpRoute(deps, fetchSecrets);
