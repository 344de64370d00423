import { ServiceError } from '../../core/errors.ts';
import type { ConsoleContext, ConsoleMiddleware } from '../../http/console/context.ts';
import { isRecentlySignedIn } from '../session.ts';

/**
 * Requires a sign-in that is at most 15 minutes old, on routes that always need one. Routes that need one only for live
 * keys call `requireRecentSignIn` once they know the key.
 */
export function recentSignIn(): ConsoleMiddleware {
  return {
    before: async function recentSignInBefore({ context: { consoleContext } }) {
      if (consoleContext.route.needsRecentSignIn === 'always') requireRecentSignIn(consoleContext);
    },
  };
}

/** Throws RECENT_SIGN_IN_REQUIRED if the identity provider asked for the credentials more than 15 minutes ago. */
export function requireRecentSignIn({ signedIn, nowMs }: ConsoleContext): void {
  if (!isRecentlySignedIn(signedIn.session, nowMs)) throw new ServiceError('RECENT_SIGN_IN_REQUIRED');
}
