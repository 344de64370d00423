import { warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { NUBAN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { verificationDependencies } from '../shared/verifications/middleware/dependencies.ts';
import { accountRoute, NUBAN_ROUTE } from '../shared/verifications/routes/nuban-basic.ts';

const deps = verificationDependencies(NUBAN_PROVIDERS);

/** POST /v1/ng/nuban-basic: the holder's name and the bank of an account number. */
export const handler = accountRoute(NUBAN_ROUTE, deps);
export const warm = () => warmUpRoute(deps, fetchSecrets);
