import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import {
  findRequest,
  requestQuery,
  showRequest,
  showRequestDependencies,
} from '../../shared/verifications/console/requests.ts';

const deps = showRequestDependencies();

export const handler = consoleRoute('show-request', showRequest(deps), {
  query: requestQuery,
  prefetch: findRequest(deps),
});
