import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { showBalance } from '../shared/ledger/routes/wallet-balance.ts';

const deps = callerDependencies();

/** GET /v1/wallet/balance: the available and the held credits. */
export const handler = keyedRoute('wallet-balance', 'wallet:read', showBalance(), deps);
export const warm = () => warmUpRoute(deps);
