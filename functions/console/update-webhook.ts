import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { updateWebhookBody } from '../../shared/webhooks/console/bodies.ts';
import { updateWebhook, webhookDependencies } from '../../shared/webhooks/console/webhooks.ts';

export const handler = consoleRoute('update-webhook', updateWebhook(webhookDependencies()), {
  body: updateWebhookBody,
});
