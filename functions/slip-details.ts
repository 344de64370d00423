import { publicRoute } from '../shared/http/chains.ts';
import { checkSlipDetails } from '../shared/http/routes/slip-details.ts';

/** POST /v1/slips/check/{token}: compares details that an officer typed with those that the code of a slip proves. */
export const handler = publicRoute('slip-details', checkSlipDetails());
