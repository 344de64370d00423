import { keyedRoute } from '../shared/http/chains.ts';
import { showTopUp, topUpStateDependencies } from '../shared/http/routes/top-up.ts';

/** GET /v1/wallet/top-ups/{reference}: the state of a payment of credits. */
export const handler = keyedRoute('top-up', 'wallet:read', showTopUp(topUpStateDependencies()));
