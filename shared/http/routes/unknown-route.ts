import { setting } from '../../core/config.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Run } from '../public-route.ts';

/** The prefix of every route's path (contract A1). */
const PREFIX = /^(?:\/api)?\/v1/;

/**
 * Rejects a request that no route serves: with 405 and `Allow` if its path has a route for other methods, and otherwise
 * with 404 (contract A8). The path is the one that API Gateway matched, not the one that the caller sent.
 */
export function rejectUnknown(): Run {
  const allowedMethods = setting('ALLOWED_METHODS');
  return async ({ headers }, { resource }) => {
    const allowed = allowedMethods[resource.replace(PREFIX, '')];
    if (allowed === undefined) throw new ServiceError('ROUTE_NOT_FOUND');
    headers['Allow'] = allowed;
    const message = `This path does not accept the HTTP method of the request. Use ${allowed.replaceAll(', ', ' or ')}.`;
    throw new ServiceError('METHOD_NOT_ALLOWED', { message });
  };
}
