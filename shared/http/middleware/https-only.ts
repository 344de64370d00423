import { ServiceError } from '../../core/errors.ts';
import { headerValues, type Middleware, type RequestContext } from '../context.ts';

/**
 * API Gateway has no plain HTTP listener and sets the header itself, so `http` came through another front end (contract
 * C12).
 */
export function httpsOnly(): Middleware<RequestContext> {
  return {
    name: 'httpsOnly',
    async before({ event }) {
      const protocols = headerValues(event, 'x-forwarded-proto').flatMap((value) => value.split(','));
      if (protocols.some((protocol) => protocol.trim().toLowerCase() === 'http'))
        throw new ServiceError('HTTPS_REQUIRED');
    },
  };
}
