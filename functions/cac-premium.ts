import { verificationRoute } from '../shared/http/chains.ts';
import { verificationDependencies } from '../shared/http/dependencies.ts';
import { CAC_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

/** POST /v1/ng/cac-premium: a company with directors, shareholders and their percentages. */
export const handler = verificationRoute(
  { name: 'cac-premium', idType: 'CAC', body: dedicatedBody('cac-premium') },
  verificationDependencies(CAC_PROVIDERS),
);
