import { verificationRoute } from '../shared/http/chains.ts';
import { gatewayBody } from '../shared/verifications/requests.ts';

/** POST /v1/identities/verify: the unified gateway for NIN, BVN and CAC. */
export const handler = verificationRoute({
  name: 'verify-identity',
  errorStyle: 'gateway',
  body: gatewayBody,
});
