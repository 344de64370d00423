import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { listLots } from '../shared/payments/routes/wallet-lots.ts';

const deps = callerDependencies();

/** GET /v1/wallet/lots: the wallet's credits by lot. */
export const handler = keyedRoute('wallet-lots', 'wallet:read', listLots(), deps);
export const warm = () => warmUpRoute(deps);
