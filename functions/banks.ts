import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { listBanks } from '../shared/registries/routes/banks.ts';

const deps = callerDependencies();

/** GET /v1/banks: the banks and their codes. */
export const handler = keyedRoute('banks', 'any', listBanks(), deps);
export const warm = () => warmUpRoute(deps);
