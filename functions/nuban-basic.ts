import { verificationDependencies } from '../shared/http/dependencies.ts';
import { nubanRoute } from '../shared/http/routes/nuban-basic.ts';
import { NUBAN_PROVIDERS } from '../shared/registries/providers/connections.ts';

/** POST /v1/ng/nuban-basic: the holder's name and the bank of an account number. */
export const handler = nubanRoute(verificationDependencies(NUBAN_PROVIDERS));
