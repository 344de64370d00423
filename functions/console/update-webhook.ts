import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { updateWebhookBody } from '../../shared/webhooks/console/bodies.ts';
import { updateWebhook, webhookDependencies } from '../../shared/webhooks/console/webhooks.ts';

/** PUT /console/api/webhooks/{id}: changes, enables or disables a webhook endpoint. */
export const handler = consoleRoute('update-webhook', updateWebhook(webhookDependencies()), {
  body: updateWebhookBody,
});
