import { keyedRoute } from '../shared/http/chains.ts';
import { showTopUp, stateDependencies } from '../shared/http/routes/wallet-top-ups.ts';

/** GET /v1/wallet/top-ups/{reference}: the state of a payment of credits. */
export const handler = keyedRoute('top-up', 'wallet:read', showTopUp(stateDependencies()));
