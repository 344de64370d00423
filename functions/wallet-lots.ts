import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { listLots } from '../shared/payments/routes/wallet-lots.ts';

const deps = callerDependencies();

/** GET /v1/wallet/lots: the wallet's credits by lot. */
export const handler = keyedRoute('wallet-lots', 'wallet:read', listLots(), deps);
export const warm = () => warmUpRoute(deps);
