import { keyedRoute } from '../shared/http/chains.ts';
import { openingDependencies, startTopUp } from '../shared/http/routes/wallet-top-ups.ts';

/** POST /v1/wallet/top-ups: starts a payment of credits. */
export const handler = keyedRoute('start-top-up', 'wallet:pay', startTopUp(openingDependencies()));
