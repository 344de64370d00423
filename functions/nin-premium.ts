import { verificationRoute } from '../shared/http/chains.ts';
import { verificationDependencies } from '../shared/http/dependencies.ts';
import { NIN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { matchRecord } from '../shared/verifications/match-record.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

/** POST /v1/ng/nin-premium: the complete registry profile of a NIN. */
export const handler = verificationRoute(
  { name: 'nin-premium', idType: 'NIN', body: dedicatedBody('nin-premium'), matchRecord },
  verificationDependencies(NIN_PROVIDERS),
);
