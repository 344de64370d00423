import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { webhookBody } from '../../shared/webhooks/console/bodies.ts';
import { rotateWebhookSecret, webhookDependencies } from '../../shared/webhooks/console/webhooks.ts';

export const handler = consoleRoute('rotate-webhook-secret', rotateWebhookSecret(webhookDependencies()), {
  body: webhookBody,
});
