import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { showVerification } from '../shared/verifications/routes/verification.ts';

const deps = callerDependencies();

/** GET /v1/verifications/{request_id}: outcome, charge and times of one request. */
export const handler = keyedRoute('verification', 'verification:read', showVerification(), deps);
export const warm = () => warmUpRoute(deps);
