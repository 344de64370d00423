import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { startTopUp, startTopUpBody, startTopUpDependencies } from '../../shared/payments/console/top-ups.ts';

/** POST /console/api/wallet/top-ups: starts a payment for credits. */
export const handler = consoleRoute('start-top-up', startTopUp(startTopUpDependencies()), {
  body: startTopUpBody,
});
