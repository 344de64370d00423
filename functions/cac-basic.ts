import { verificationRoute } from '../shared/http/chains.ts';
import { verificationDependencies } from '../shared/http/dependencies.ts';
import { CAC_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

/** POST /v1/ng/cac-basic: a company and its directors. */
export const handler = verificationRoute(
  { name: 'cac-basic', idType: 'CAC', body: dedicatedBody('cac-basic') },
  verificationDependencies(CAC_PROVIDERS),
);
