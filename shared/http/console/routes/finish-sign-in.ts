import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { IdentityProvider } from '../../../console/identity-provider.ts';
import { CONSOLE_API, consoleRouteOf } from '../../../console/routes.ts';
import { sessionCookieText } from '../../../console/session.ts';
import { type SignInTables, signIn } from '../../../console/sign-in.ts';
import { pathAfterSignIn, readSignInAttempt } from '../../../console/sign-in-attempt.ts';
import { ServiceError } from '../../../core/errors.ts';
import type { ConsoleContext, Redirect } from '../context.ts';
import { CLEAR_SIGN_IN_COOKIE, sessionCookie, signInCookieOf } from '../cookies.ts';
import { callbackUrl } from '../own-origin.ts';
import { signInFailed } from '../sign-in-failure.ts';

/** GET /session/callback: the identity provider sends the browser here. Begins the session. */
export function finishSignIn(provider: Pick<IdentityProvider, 'finish'>, tables: SignInTables) {
  return async (event: APIGatewayProxyEvent, consoleContext: ConsoleContext): Promise<Redirect> => {
    const { nowMs } = consoleContext;
    const attempt = readSignInAttempt(signInCookieOf(event) ?? '', nowMs);
    const query = new URLSearchParams(queryPairs(event));
    if (!attempt || query.get('state') !== attempt.state) {
      consoleContext.detail = attempt ? 'state' : 'no-attempt';
      throw new ServiceError('SIGN_IN_FAILED');
    }
    const identity = await provider
      .finish(attempt, `${callbackUrl(event)}?${query}`)
      .catch((error: unknown) => signInFailed(consoleContext, error));
    // Another program could have set the cookie, so the path in it is checked again.
    const to = pathAfterSignIn(attempt.to);
    const cookie = await signIn(identity, attempt, tables, nowMs);
    if (cookie === 'again') return { location: startAgain(to), cookies: [CLEAR_SIGN_IN_COOKIE] };
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
