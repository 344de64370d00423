import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { webhookBody } from '../../shared/webhooks/console/bodies.ts';
import { deleteWebhook, webhookDependencies } from '../../shared/webhooks/console/webhooks.ts';

export const handler = consoleRoute('delete-webhook', deleteWebhook(webhookDependencies()), {
  body: webhookBody,
});
