import { fetchSecrets } from '../shared/core/secrets.ts';
import { verificationDependencies } from '../shared/http/dependencies.ts';
import { warmUpRoute } from '../shared/http/warm-up.ts';
import { NUBAN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { nubanRoute } from '../shared/verifications/routes/nuban-basic.ts';

const deps = verificationDependencies(NUBAN_PROVIDERS);

/** POST /v1/ng/nuban-basic: the holder's name and the bank of an account number. */
export const handler = nubanRoute(deps);
export const warm = () => warmUpRoute(deps, fetchSecrets);
