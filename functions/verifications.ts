import { keyedRoute } from '../shared/http/chains.ts';
import { listRequests } from '../shared/http/routes/verifications.ts';

/** GET /v1/verifications: log entries by reference, time, service or outcome, and rejected requests. */
export const handler = keyedRoute('verifications', 'verification:read', listRequests());
