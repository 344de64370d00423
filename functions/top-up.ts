import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { topUpDependencies } from '../shared/payments/dependencies.ts';
import { showTopUp } from '../shared/payments/routes/top-up.ts';

const deps = callerDependencies();

/** GET /v1/wallet/top-ups/{reference}: the state of a payment for credits. */
export const handler = keyedRoute('top-up', 'wallet:read', showTopUp(topUpDependencies()), deps);
export const warm = () => warmUpRoute(deps, fetchSecrets);
