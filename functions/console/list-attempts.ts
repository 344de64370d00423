import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { attemptsQuery, listAttempts, readAttempts } from '../../shared/webhooks/console/deliveries.ts';

export const handler = consoleRoute('list-attempts', listAttempts(), {
  query: attemptsQuery,
  prefetch: readAttempts(),
});
