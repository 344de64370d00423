import { fetchSecrets } from '../shared/core/secrets.ts';
import { verificationRoute } from '../shared/http/chains.ts';
import { verificationDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { TIN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

const deps = verificationDependencies(TIN_PROVIDERS);

/** POST /v1/ng/tin-basic: the taxpayer that a TIN identifies. */
export const handler = verificationRoute(
  { name: 'tin-basic', idType: 'TIN', body: dedicatedBody('tin-basic') },
  deps,
);
export const warm = () => warmUpRoute(deps, fetchSecrets);
