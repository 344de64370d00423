import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import {
  listRequestDependencies,
  listRequests,
  readFirstRequests,
  requestsQuery,
} from '../../shared/verifications/console/requests.ts';

const deps = listRequestDependencies();

export const handler = consoleRoute('list-requests', listRequests(deps), {
  query: requestsQuery,
  prefetch: readFirstRequests(deps),
});
