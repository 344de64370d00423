import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { keyOpening } from '../shared/payments/dependencies.ts';
import { startTopUp } from '../shared/payments/routes/start-top-up.ts';

const deps = callerDependencies();

/** POST /v1/wallet/top-ups: starts a payment for credits. */
export const handler = keyedRoute('start-top-up', 'wallet:pay', startTopUp(keyOpening()), deps);
export const warm = () => warmUpRoute(deps, fetchSecrets);
