import { ServiceError } from '../../core/errors.ts';
import type { Middleware } from '../../http/context.ts';
import { hasScope, scopeOf } from '../key-limits.ts';
import { isSubscribed } from '../organisation.ts';
import { missingScope } from './scope.ts';

/**
 * Requires that the key has the scope of the service, and for live keys that the service is enabled for the
 * organisation (decision E4).
 */
export function subscription(): Middleware {
  return {
    before: async function subscriptionBefore({ context: { requestContext } }) {
      const { organisation, env, key } = requestContext.caller;
      const { service } = requestContext.command;
      if (!isSubscribed(organisation.services, service, env)) throw new ServiceError('SUBSCRIPTION_REQUIRED');
      if (hasScope(key.scopes, scopeOf(service))) return;
      requestContext.detail = 'scope';
      throw new ServiceError('SUBSCRIPTION_REQUIRED', { message: missingScope(scopeOf(service)) });
    },
  };
}
