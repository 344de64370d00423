import { keyedRoute } from '../shared/http/chains.ts';
import { startTopUp } from '../shared/http/routes/start-top-up.ts';
import { openDependencies } from '../shared/payments/dependencies.ts';

/** POST /v1/wallet/top-ups: starts a payment for credits. */
export const handler = keyedRoute('start-top-up', 'wallet:pay', startTopUp(openDependencies()));
