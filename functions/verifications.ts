import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { listRequests } from '../shared/verifications/routes/verifications.ts';

const deps = callerDependencies();

/** GET /v1/verifications: log entries by reference, time, service or outcome, and rejected requests. */
export const handler = keyedRoute('verifications', 'verification:read', listRequests(), deps);
export const warm = () => warmUpRoute(deps);
