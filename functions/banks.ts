import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { listBanks } from '../shared/registries/routes/banks.ts';

const deps = callerDependencies();

/** GET /v1/banks: the banks and their codes. */
export const handler = keyedRoute('banks', 'any', listBanks(), deps);
export const warm = () => warmUpRoute(deps);
