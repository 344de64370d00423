import { consoleRoute } from '../../shared/http/console/chain.ts';
import {
  findRequest,
  requestQuery,
  showRequest,
  showRequestDependencies,
} from '../../shared/http/console/routes/requests.ts';

const deps = showRequestDependencies();

/** GET /console/api/requests/{request_id}: what happened to one request. */
export const handler = consoleRoute('show-request', showRequest(deps), {
  query: requestQuery,
  prefetch: findRequest(deps),
});
