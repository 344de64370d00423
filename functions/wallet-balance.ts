import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { showBalance } from '../shared/ledger/routes/wallet-balance.ts';

const deps = callerDependencies();

/** GET /v1/wallet/balance: the available and the held credits. */
export const handler = keyedRoute('wallet-balance', 'wallet:read', showBalance(), deps);
export const warm = () => warmUpRoute(deps);
