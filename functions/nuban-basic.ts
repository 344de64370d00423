import { verificationRoute } from '../shared/http/chains.ts';
import { dedicatedBody } from '../shared/verifications/requests.ts';

/** POST /v1/ng/nuban-basic: the holder's name and the bank of an account number. */
export const handler = verificationRoute({
  name: 'nuban-basic',
  idType: 'NUBAN',
  body: dedicatedBody('nuban-basic'),
});
