import { scopeOf } from '../../accounts/key-limits.ts';
import { caller } from '../../accounts/middleware/caller.ts';
import { missingScope } from '../../accounts/middleware/scope.ts';
import { isSubscribed } from '../../accounts/organisation.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Middleware } from '../../http/context.ts';
import { accessTo } from '../key-scopes.ts';
import { simulateError } from './simulated-error.ts';
import { command } from './values.ts';

/**
 * Requires that the key has the scope of the service, and for live keys that the service is enabled for the
 * organisation (contract E4).
 */
export function subscription(): Middleware {
  return {
    name: 'subscription',
    async before({ context: { requestContext } }) {
      const { organisation, env, key } = caller.of(requestContext);
      const { service, isMatchOnly } = command.of(requestContext);
      if (!isSubscribed(organisation.services, service, env)) throw new ServiceError('SUBSCRIPTION_REQUIRED');
      simulateError(requestContext, 'SUBSCRIPTION_REQUIRED');
      const access = accessTo(service, key.scopes);
      const mayMatch = access === 'match_only';
      if (access === 'full' || (mayMatch && isMatchOnly)) return;
      requestContext.line.detail = 'scope';
      throw new ServiceError(
        'SUBSCRIPTION_REQUIRED',
        missingScope(scopeOf(service), mayMatch ? MATCH_ONLY : undefined),
      );
    },
  };
}

const MATCH_ONLY = 'Send "match_only": true, or use a key that has it.';
