import { verificationDependencies } from '../shared/http/dependencies.ts';
import { slipRoute } from '../shared/http/routes/nin-slip.ts';
import { NIN_PROVIDERS } from '../shared/registries/providers/connections.ts';

/** POST /v1/ng/nin/slip/download: the slip of a NIN that this organisation has verified, as a PDF. */
export const handler = slipRoute(verificationDependencies(NIN_PROVIDERS));
