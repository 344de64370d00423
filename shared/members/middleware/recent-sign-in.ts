import { ServiceError } from '../../core/errors.ts';
import type { ConsoleContext, ConsoleMiddleware } from '../../http/console/context.ts';
import { isRecentlySignedIn } from '../session.ts';
import { signedIn } from './session.ts';

/**
 * Requires a sign-in that is at most 15 minutes old, on routes that always need one. Routes that need one only in the
 * live environment call `requireRecentSignIn` once they know the environment.
 */
export function recentSignIn(): ConsoleMiddleware {
  return {
    name: 'recentSignIn',
    async before({ context: { requestContext } }) {
      if (requestContext.route.needsRecentSignIn === 'always') requireRecentSignIn(requestContext);
    },
  };
}

/** Throws RECENT_SIGN_IN_REQUIRED if the identity provider asked for the credentials more than 15 minutes ago. */
export function requireRecentSignIn(requestContext: ConsoleContext): void {
  if (!isRecentlySignedIn(signedIn.of(requestContext).session, requestContext.nowMs))
    throw new ServiceError('RECENT_SIGN_IN_REQUIRED');
}
