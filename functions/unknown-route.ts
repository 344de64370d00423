import { ServiceError } from '../shared/core/errors.ts';
import { publicRoute } from '../shared/http/chains.ts';

/** Every method and path that the API does not have (decision A8). */
export const handler = publicRoute('unknown-route', async () => {
  throw new ServiceError('ROUTE_NOT_FOUND');
});
