import { ServiceError } from '../../core/errors.ts';
import { headerValues, type Middleware } from '../context.ts';

/**
 * Only HTTPS passes. API Gateway has no plain HTTP listener and sets the header itself; a request that still shows
 * `http` came through another front end (decision C12).
 */
export function httpsOnly(): Middleware {
  return {
    before: async function httpsOnlyBefore({ event }) {
      const protocols = headerValues(event, 'x-forwarded-proto').flatMap((value) => value.split(','));
      if (protocols.some((protocol) => protocol.trim().toLowerCase() === 'http'))
        throw new ServiceError('HTTPS_REQUIRED');
    },
  };
}
