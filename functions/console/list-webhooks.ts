import { consoleRoute } from '../../shared/http/console/chain.ts';
import { environmentQuery } from '../../shared/http/console/environment-query.ts';
import { webhookTables } from '../../shared/webhooks/console/webhook-tables.ts';
import { listWebhooks, readEndpoints } from '../../shared/webhooks/console/webhooks.ts';

const deps = webhookTables();

/** GET /console/api/webhooks: the webhook endpoints of the organisation. */
export const handler = consoleRoute('list-webhooks', listWebhooks(deps), {
  query: environmentQuery,
  prefetch: readEndpoints(deps),
});
