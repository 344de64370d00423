import { publicRoute } from '../shared/http/public-route.ts';
import { checkSlipDetails } from '../shared/slips/routes/slip-details.ts';

/** POST /v1/slips/check/{token}: compares the details that an officer typed with those that the slip's code proves. */
export const handler = publicRoute('slip-details', checkSlipDetails());
