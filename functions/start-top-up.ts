import { fetchSecrets } from '../shared/core/secrets.ts';
import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { openDependencies } from '../shared/payments/dependencies.ts';
import { startTopUp } from '../shared/payments/routes/start-top-up.ts';

const deps = callerDependencies();

/** POST /v1/wallet/top-ups: starts a payment for credits. */
export const handler = keyedRoute('start-top-up', 'wallet:pay', startTopUp(openDependencies()), deps);
export const warm = () => warmUpRoute(deps, fetchSecrets);
