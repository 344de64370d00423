import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { ConsoleContext, Redirect } from '../../http/console/context.ts';
import { sessionCookieOf, signInCookie } from '../../http/console/cookies.ts';
import { callbackUrl } from '../../http/console/own-origin.ts';
import type { IdentityProvider } from '../identity-provider.ts';
import { readSessionCookie, sessionHash } from '../session.ts';
import {
  ATTEMPT_LIFETIME_SECONDS,
  newSignInAttempt,
  pathAfterSignIn,
  type SignInAttempt,
  signInAttemptText,
} from '../sign-in-attempt.ts';
import { signInFailed } from './sign-in-failure.ts';

/**
 * GET /session/start?to=/keys&again=1: sends the browser to the identity provider. `to` is the path to open afterwards.
 * With `again`, the identity provider asks for the credentials even if the browser is still signed in there.
 */
export function startSignIn(provider: Pick<IdentityProvider, 'signInUrl'>) {
  return async (event: APIGatewayProxyEvent, requestContext: ConsoleContext): Promise<Redirect> => {
    const { to, again } = event.queryStringParameters ?? {};
    const attempt = newSignInAttempt({
      to: pathAfterSignIn(to),
      startedAtMs: requestContext.nowMs,
      isAgain: again === '1',
      previous: previousSession(event),
    });
    const location = await provider
      .signInUrl(attempt, callbackUrl(event))
      .catch((error: unknown) => signInFailed(requestContext, error));
    return { location, cookies: [signInCookie(signInAttemptText(attempt), ATTEMPT_LIFETIME_SECONDS)] };
  };
}

/**
 * Returns the browser's current session. The redirect from the identity provider will lack the session's cookie,
 * because browsers do not send it with requests from other sites.
 */
function previousSession(event: APIGatewayProxyEvent): SignInAttempt['previous'] {
  const cookie = readSessionCookie(sessionCookieOf(event) ?? '');
  return cookie && { hash: sessionHash(cookie.secret), organisationId: cookie.organisationId };
}
