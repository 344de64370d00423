import { verificationRoute } from '../shared/http/chains.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

/** POST /v1/ng/tin-basic: the taxpayer of a TIN. */
export const handler = verificationRoute({
  name: 'tin-basic',
  idType: 'TIN',
  body: dedicatedBody('tin-basic'),
});
