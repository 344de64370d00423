import { verificationRoute } from '../shared/http/chains.ts';
import { verificationDependencies } from '../shared/http/dependencies.ts';
import { BVN_PROVIDERS, CAC_PROVIDERS, NIN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { matchRecord } from '../shared/verifications/match-record.ts';
import { gatewayBody } from '../shared/verifications/requests.ts';

/** POST /v1/identities/verify: the unified gateway for NIN, BVN and CAC. */
export const handler = verificationRoute(
  { name: 'verify-identity', errorStyle: 'gateway', body: gatewayBody, matchRecord },
  verificationDependencies({ ...NIN_PROVIDERS, ...BVN_PROVIDERS, ...CAC_PROVIDERS }),
);
