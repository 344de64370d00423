import { warmUpRoute } from '../shared/accounts/middleware/keyed-route.ts';
import { fetchSecrets } from '../shared/core/secrets.ts';
import { NIN_PROVIDERS } from '../shared/registries/providers/connections.ts';
import { drawSpecimen } from '../shared/slips/draw-specimen.ts';
import { slipPress, slipRoute } from '../shared/slips/routes/nin-slip.ts';
import { verificationDependencies } from '../shared/verifications/middleware/dependencies.ts';

const deps = verificationDependencies(NIN_PROVIDERS);
const press = slipPress();

/** POST /v1/ng/nin/slip/download: the slip of a NIN that this organisation has verified, as a PDF. */
export const handler = slipRoute(deps, press);
export const warm = () => warmUpRoute(deps, fetchSecrets, () => drawSpecimen(press.theme));
