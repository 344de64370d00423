import { publicRoute } from '../shared/http/public-route.ts';
import { showHealth } from '../shared/registries/routes/health.ts';

/** GET /v1/health: the state of the database and of the registries. */
export const handler = publicRoute('health', showHealth());
