import { hasScope, scopeOf } from '../../accounts/key-limits.ts';
import { isSubscribed } from '../../accounts/organisation.ts';
import { ServiceError } from '../../core/errors.ts';
import { type Middleware, required } from '../context.ts';

/** The service that the request asks for is enabled for the organisation (decision E4), and its key may use it. */
export function subscription(): Middleware {
  return {
    before: async function subscriptionBefore({ context }) {
      const { requestContext } = context;
      const { organisation, env, key } = required(requestContext.caller, 'caller');
      const { service } = required(requestContext.command, 'command');
      if (!isSubscribed(organisation.services, service, env)) throw new ServiceError('SUBSCRIPTION_REQUIRED');
      if (hasScope(key.scopes, scopeOf(service))) return;
      requestContext.detail = 'scope';
      throw new ServiceError('SUBSCRIPTION_REQUIRED', {
        message: `This API key may not be used here. Use one with the scope ${scopeOf(service)}.`,
      });
    },
  };
}
