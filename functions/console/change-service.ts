import { changeServiceBody } from '../../shared/accounts/console/bodies.ts';
import { changeService } from '../../shared/accounts/console/services.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';

export const handler = consoleRoute('change-service', changeService(), { body: changeServiceBody });
