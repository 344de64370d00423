import { consoleRoute } from '../../shared/http/console/chain.ts';
import { environmentQuery } from '../../shared/http/console/environment-query.ts';
import {
  listWebhookDependencies,
  listWebhooks,
  readEndpoints,
} from '../../shared/http/console/routes/webhooks.ts';

const deps = listWebhookDependencies();

/** GET /console/api/webhooks: the webhook endpoints of the organisation. */
export const handler = consoleRoute('list-webhooks', listWebhooks(deps), {
  query: environmentQuery,
  prefetch: readEndpoints(deps),
});
