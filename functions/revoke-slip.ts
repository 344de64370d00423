import { callerDependencies } from '../shared/accounts/middleware/dependencies.ts';
import { keyedRoute, warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { revokeSlip } from '../shared/slips/routes/revoke-slip.ts';

const deps = callerDependencies();

/** POST /v1/ng/nin/slip/revoke: withdraws a slip. */
export const handler = keyedRoute('revoke-slip', 'slip:revoke', revokeSlip(), deps);
export const warm = () => warmUpRoute(deps, fetchSecrets);
