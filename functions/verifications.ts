import { keyedRoute } from '../shared/http/chains.ts';
import { callerDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { listRequests } from '../shared/verifications/routes/verifications.ts';

const deps = callerDependencies();

/** GET /v1/verifications: log entries by reference, time, service or outcome, and rejected requests. */
export const handler = keyedRoute('verifications', 'verification:read', listRequests(), deps);
export const warm = () => warmUpRoute(deps);
