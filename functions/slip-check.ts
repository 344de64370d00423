import { publicRoute } from '../shared/http/public-route.ts';
import { showSlipCheck } from '../shared/slips/routes/slip-check.ts';

/** GET /v1/slips/check/{token}: the page that a slip's QR code opens. */
export const handler = publicRoute('slip-check', showSlipCheck());
