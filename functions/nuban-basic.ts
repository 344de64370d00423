import { nubanRoute } from '../shared/http/routes/nuban-basic.ts';

/** POST /v1/ng/nuban-basic: the holder's name and the bank of an account number. */
export const handler = nubanRoute();
