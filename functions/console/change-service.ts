import { changeServiceBody } from '../../shared/accounts/console/bodies.ts';
import { changeService } from '../../shared/accounts/console/services.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

/** PUT /console/api/services/{service}: enables or disables a service for live keys. */
export const handler = consoleRoute('change-service', changeService(), { body: changeServiceBody });
