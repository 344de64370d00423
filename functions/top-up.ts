import { keyedRoute } from '../shared/http/chains.ts';
import { showTopUp } from '../shared/http/routes/top-up.ts';
import { topUpDependencies } from '../shared/payments/dependencies.ts';

/** GET /v1/wallet/top-ups/{reference}: the state of a payment for credits. */
export const handler = keyedRoute('top-up', 'wallet:read', showTopUp(topUpDependencies()));
