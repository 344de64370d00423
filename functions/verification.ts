import { showVerification } from '../shared/http/account-answers.ts';
import { keyedRoute } from '../shared/http/chains.ts';

/** GET /v1/verifications/{request_id}: outcome, charge and times of one request. */
export const handler = keyedRoute('verification', 'verification:read', showVerification());
