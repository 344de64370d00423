import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { showVerification } from '../shared/verifications/routes/verification.ts';

const deps = callerDependencies();

/** GET /v1/verifications/{request_id}: outcome, charge and times of one request. */
export const handler = keyedRoute('verification', 'verification:read', showVerification(), deps);
export const warm = () => warmUpRoute(deps);
