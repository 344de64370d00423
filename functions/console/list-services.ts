import { consoleRoute } from '../../shared/http/console/chain.ts';
import { listServices } from '../../shared/http/console/routes/services.ts';

/** GET /console/api/services: the services, their prices, and what they return. */
export const handler = consoleRoute('list-services', listServices());
