import { environmentQuery } from '../../shared/http/console/environment-query.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { listWebhooks, readEndpoints } from '../../shared/webhooks/console/webhooks.ts';

/** GET /console/api/webhooks: the webhook endpoints of the organisation. */
export const handler = consoleRoute('list-webhooks', listWebhooks(), {
  query: environmentQuery,
  prefetch: readEndpoints(),
});
