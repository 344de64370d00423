import { setting } from '../../core/config.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Run } from '../public-route.ts';

/** Contract A1. */
const PREFIX = /^(?:\/api)?\/v1/;

/**
 * With 405 and `Allow` if the path has other methods, otherwise 404 (contract A8). The path is the one that API Gateway
 * matched.
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
