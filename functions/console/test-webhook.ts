import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { testWebhookBody } from '../../shared/webhooks/console/bodies.ts';
import { sendDependencies, testWebhook } from '../../shared/webhooks/console/deliveries.ts';

export const handler = consoleRoute('test-webhook', testWebhook(sendDependencies()), {
  body: testWebhookBody,
});
