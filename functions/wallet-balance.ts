import { keyedRoute } from '../shared/http/chains.ts';
import { showBalance } from '../shared/http/routes/account.ts';

/** GET /v1/wallet/balance: what the wallet of the key's environment can spend. */
export const handler = keyedRoute('wallet-balance', 'wallet:read', showBalance());
