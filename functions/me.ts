import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { showMe } from '../shared/accounts/routes/me.ts';

const deps = callerDependencies();

/** GET /v1/me: the key, its organisation, and what it may do. */
export const handler = keyedRoute('me', 'any', showMe(), deps);
export const warm = () => warmUpRoute(deps);
