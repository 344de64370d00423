import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { addWebhookBody } from '../../shared/webhooks/console/bodies.ts';
import { addWebhook, webhookDependencies } from '../../shared/webhooks/console/webhooks.ts';

export const handler = consoleRoute('add-webhook', addWebhook(webhookDependencies()), {
  body: addWebhookBody,
});
