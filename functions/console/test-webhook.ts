import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { sendDependencies, testWebhook } from '../../shared/webhooks/console/deliveries.ts';
import { webhookBody } from '../../shared/webhooks/console/webhooks.ts';

/** POST /console/api/webhooks/{id}/test: sends a test event to a webhook endpoint. */
export const handler = consoleRoute('test-webhook', testWebhook(sendDependencies()), { body: webhookBody });
