import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { startTopUpBody } from '../../shared/payments/console/bodies.ts';
import { startTopUp, startTopUpDependencies } from '../../shared/payments/console/top-ups.ts';

export const handler = consoleRoute('start-top-up', startTopUp(startTopUpDependencies()), {
  body: startTopUpBody,
});
