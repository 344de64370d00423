import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { resendBody } from '../../shared/webhooks/console/bodies.ts';
import { resendDelivery, sendDependencies } from '../../shared/webhooks/console/deliveries.ts';

export const handler = consoleRoute('resend-delivery', resendDelivery(sendDependencies()), {
  body: resendBody,
});
