import { isSubscribed } from '../../accounts/organisation.ts';
import { ServiceError } from '../../core/errors.ts';
import { type Middleware, need } from '../exchange.ts';

/** The service that the request asks for is enabled for the organisation (decision E4). */
export function subscription(): Middleware {
  return {
    before: async function subscriptionBefore({ context }) {
      const { organisation, env } = need(context.exchange.caller, 'caller');
      const { service } = need(context.exchange.command, 'command');
      if (!isSubscribed(organisation.services, service, env)) throw new ServiceError('SUBSCRIPTION_REQUIRED');
    },
  };
}
