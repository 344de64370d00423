import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ServiceError } from '../../core/errors.ts';
import type { ConsoleContext, Redirect } from '../../http/console/context.ts';
import { CLEAR_SIGN_IN_COOKIE, sessionCookie, signInCookieOf } from '../../http/console/cookies.ts';
import { callbackUrl } from '../../http/console/own-origin.ts';
import { CONSOLE_API, consoleRouteOf } from '../../http/console/routes.ts';
import type { IdentityProvider } from '../identity-provider.ts';
import { sessionCookieText } from '../session.ts';
import { type SignInTables, signIn } from '../sign-in.ts';
import { pathAfterSignIn, readSignInAttempt } from '../sign-in-attempt.ts';
import { signInFailed } from './sign-in-failure.ts';

/**
 * GET /session/callback: the identity provider sends the browser here. Begins the session. A person without a second
 * factor signs in again first, and the identity provider then has them set one up.
 */
export function finishSignIn(
  provider: Pick<IdentityProvider, 'finish'>,
  hasSecondFactor: (subject: string) => Promise<boolean>,
  tables: SignInTables,
) {
  return async (event: APIGatewayProxyEvent, requestContext: ConsoleContext): Promise<Redirect> => {
    const { nowMs } = requestContext;
    const attempt = readSignInAttempt(signInCookieOf(event) ?? '', nowMs);
    const query = new URLSearchParams(queryPairs(event));
    if (!attempt || query.get('state') !== attempt.state) {
      requestContext.line.detail = attempt ? 'state' : 'no-attempt';
      throw new ServiceError('SIGN_IN_FAILED');
    }
    const identity = await provider
      .finish(attempt, `${callbackUrl(event)}?${query}`)
      .catch((error: unknown) => signInFailed(requestContext, error));
    // Another program could have set the cookie, so the path in it is checked again.
    const to = pathAfterSignIn(attempt.to);
    const again = { location: startAgain(to), cookies: [CLEAR_SIGN_IN_COOKIE] };
    const isProtected = await hasSecondFactor(identity.subject).catch((error: unknown) =>
      signInFailed(requestContext, error),
    );
    if (!isProtected) return again;
    const cookie = await signIn(identity, attempt, tables, nowMs);
    if (cookie === 'again') return again;
    const cookies = [sessionCookie(sessionCookieText(cookie)), CLEAR_SIGN_IN_COOKIE];
    return { location: to, cookies };
  };
}

function startAgain(to: string): string {
  const { path } = consoleRouteOf('start-sign-in');
  return `${CONSOLE_API}${path}?${new URLSearchParams({ to, again: '1' })}`;
}

function queryPairs({ multiValueQueryStringParameters }: APIGatewayProxyEvent): [string, string][] {
  return Object.entries(multiValueQueryStringParameters ?? {}).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
}
