import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { showBalance } from '../shared/http/routes/wallet-balance.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';

const deps = callerDependencies();

/** GET /v1/wallet/balance: the available and the held credits. */
export const handler = keyedRoute('wallet-balance', 'wallet:read', showBalance(), deps);
export const warm = () => warmUpRoute(deps);
