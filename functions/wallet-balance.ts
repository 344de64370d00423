import { keyedRoute } from '../shared/http/chains.ts';
import { showBalance } from '../shared/http/routes/wallet-balance.ts';

/** GET /v1/wallet/balance: what the wallet can spend. */
export const handler = keyedRoute('wallet-balance', 'wallet:read', showBalance());
