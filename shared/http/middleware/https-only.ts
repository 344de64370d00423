import type middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { ServiceError } from '../../core/errors.ts';
import { headerValues } from '../context.ts';

/**
 * Requires HTTPS. API Gateway has no plain HTTP listener and sets the header itself, so a request with `http` came
 * through another front end (decision C12).
 */
export function httpsOnly<R, C extends Context>(): middy.MiddlewareObj<APIGatewayProxyEvent, R, Error, C> {
  return {
    before: async function httpsOnlyBefore({ event }) {
      const protocols = headerValues(event, 'x-forwarded-proto').flatMap((value) => value.split(','));
      if (protocols.some((protocol) => protocol.trim().toLowerCase() === 'http'))
        throw new ServiceError('HTTPS_REQUIRED');
    },
  };
}
