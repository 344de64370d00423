import { listServices } from '../../shared/accounts/console/services.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

/** GET /console/api/services: the services, their prices, and what they return. */
export const handler = consoleRoute('list-services', listServices());
