import { publicRoute } from '../shared/http/chains.ts';
import { showHealth } from '../shared/http/routes/health.ts';

/** GET /v1/health: how the service's own parts and the registries are. */
export const handler = publicRoute('health', showHealth());
