import { keyedRoute } from '../shared/http/chains.ts';
import { listBanks } from '../shared/http/routes/banks.ts';

/** GET /v1/banks: the banks and their codes. */
export const handler = keyedRoute('banks', 'any', listBanks());
