import { verificationRoute } from '../shared/http/chains.ts';
import { verificationDependencies } from '../shared/http/dependencies.ts';
import { BVN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { matchRecord } from '../shared/verifications/match-record.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

/** POST /v1/ng/bvn-premium: the full bank-registry profile of a BVN. */
export const handler = verificationRoute(
  { name: 'bvn-premium', idType: 'BVN', body: dedicatedBody('bvn-premium'), matchRecord },
  verificationDependencies(BVN_PROVIDERS),
);
