import { keyedRoute } from '../shared/http/chains.ts';
import { showVerification } from '../shared/http/routes/verification.ts';

/** GET /v1/verifications/{request_id}: outcome, charge and times of one request. */
export const handler = keyedRoute('verification', 'verification:read', showVerification());
