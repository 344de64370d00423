import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { deliveriesQuery, listDeliveries, readDeliveries } from '../../shared/webhooks/console/deliveries.ts';

export const handler = consoleRoute('list-deliveries', listDeliveries(), {
  query: deliveriesQuery,
  prefetch: readDeliveries(),
});
