import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { webhookBody } from '../../shared/webhooks/console/bodies.ts';
import { rotateWebhookSecret, webhookDependencies } from '../../shared/webhooks/console/webhooks.ts';

/** POST /console/api/webhooks/{id}/rotate: replaces the secret of a webhook endpoint. */
export const handler = consoleRoute('rotate-webhook-secret', rotateWebhookSecret(webhookDependencies()), {
  body: webhookBody,
});
