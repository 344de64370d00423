import { listServices } from '../../shared/accounts/console/services.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = consoleRoute('list-services', listServices());
