import { signInRoute } from '../../../shared/http/console/chain.ts';
import { endSessionBody, switchBody } from '../../../shared/members/console/bodies.ts';
import { endSession } from '../../../shared/members/console/end-session.ts';
import { finishSignIn } from '../../../shared/members/console/finish-sign-in.ts';
import { showSession } from '../../../shared/members/console/show-session.ts';
import { startSignIn } from '../../../shared/members/console/start-sign-in.ts';
import { switchOrganisation } from '../../../shared/members/console/switch-organisation.ts';
import { consoleRoute, signedInRoute } from '../../../shared/members/middleware/console-route.ts';
import { readSessionCookie } from '../../../shared/members/session.ts';
import { readSignInAttempt } from '../../../shared/members/sign-in-attempt.ts';
import type { Browser, MemoryConsole } from './memory-console.ts';

export function signInRoutes(service: () => MemoryConsole) {
  const start = (query: Record<string, string> = {}, browser?: Browser) =>
    service().send(
      signInRoute('start-sign-in', startSignIn(service().provider), () => service().clock.nowMs),
      'start-sign-in',
      browser,
      { query, headers: { 'Sec-Fetch-Site': 'cross-site' } },
    );

  /** Simulates the redirect from the identity provider, another site: the browser does not send the session cookie. */
  const finish = (query: Record<string, string>, signInCookie: string) =>
    service().send(
      signInRoute(
        'finish-sign-in',
        finishSignIn(service().provider, service().hasSecondFactor, service().tables),
        () => service().clock.nowMs,
      ),
      'finish-sign-in',
      { cookie: '' },
      { query, headers: { Cookie: signInCookie, 'Sec-Fetch-Site': 'cross-site' } },
    );

  const signInCookieOf = (cookies: readonly string[]) =>
    cookies.find((cookie) => cookie.startsWith('__Host-sign-in='))?.split(';')[0] ?? '';
  const attemptOf = (cookies: readonly string[]) => {
    const attempt = readSignInAttempt(signInCookieOf(cookies).split('=')[1] ?? '', service().clock.nowMs);
    if (!attempt) throw new Error('There is no attempt.');
    return attempt;
  };

  /** Performs a complete sign-in. Returns the last response, and the browser with its session. */
  async function signIn(query: Record<string, string> = {}, browser?: Browser) {
    const { cookies } = await start(query, browser);
    const response = await finish({ code: 'good', state: attemptOf(cookies).state }, signInCookieOf(cookies));
    const text = response.cookies.find((cookie) => cookie.startsWith('__Host-session='));
    const cookie = text?.split(';')[0]?.slice('__Host-session='.length) ?? '';
    return { response, browser: { cookie }, session: readSessionCookie(cookie) };
  }

  const show = (browser: Browser) =>
    service().send(
      signedInRoute('show-session', showSession(service().viewDeps), {}, service().deps),
      'show-session',
      browser,
    );
  const switchTo = (browser: Browser, id: unknown) =>
    service().send(
      signedInRoute(
        'switch-organisation',
        switchOrganisation(service().viewDeps),
        { body: switchBody },
        service().deps,
      ),
      'switch-organisation',
      browser,
      { body: { organisation_id: id } },
    );
  const end = (browser: Browser, everywhere: boolean) =>
    service().send(
      signedInRoute('end-session', endSession(service().endDeps), { body: endSessionBody }, service().deps),
      'end-session',
      browser,
      { body: { everywhere } },
    );
  const readHome = (browser: Browser) =>
    service().send(
      consoleRoute('show-home', async ({ organisation }) => ({ data: organisation.id }), {}, service().deps),
      'show-home',
      browser,
    );

  return { start, finish, signInCookieOf, attemptOf, signIn, show, switchTo, end, readHome };
}
