import { environmentQuery } from '../../shared/http/console/environment-query.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { webhookTables } from '../../shared/webhooks/console/webhook-tables.ts';
import { listWebhooks, readEndpoints } from '../../shared/webhooks/console/webhooks.ts';

const deps = webhookTables();

/** GET /console/api/webhooks: the webhook endpoints of the organisation. */
export const handler = consoleRoute('list-webhooks', listWebhooks(deps), {
  query: environmentQuery,
  prefetch: readEndpoints(deps),
});
