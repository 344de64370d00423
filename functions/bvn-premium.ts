import { verificationRoute } from '../shared/http/chains.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

/** POST /v1/ng/bvn-premium: the full bank-registry profile of a BVN. */
export const handler = verificationRoute({
  name: 'bvn-premium',
  idType: 'BVN',
  body: dedicatedBody('bvn-premium'),
});
