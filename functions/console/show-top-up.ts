import { environmentQuery } from '../../shared/http/console/environment-query.ts';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { readTopUp, showTopUp } from '../../shared/payments/console/top-ups.ts';

export const handler = consoleRoute('show-top-up', showTopUp(), {
  query: environmentQuery,
  prefetch: readTopUp(),
});
