import { keyedRoute } from '../shared/http/chains.ts';
import { listLots } from '../shared/http/routes/wallet-lots.ts';

/** GET /v1/wallet/lots: the credits of the wallet by the payment that they came from. */
export const handler = keyedRoute('wallet-lots', 'wallet:read', listLots());
