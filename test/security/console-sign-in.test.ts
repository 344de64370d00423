import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { consoleRoute } from '../../shared/members/middleware/console-route.ts';
import { readSessionCookie } from '../../shared/members/session.ts';
import { newSignInAttempt, signInAttemptText } from '../../shared/members/sign-in-attempt.ts';
import {
  type Browser,
  type MemoryConsole,
  memoryConsole,
  ORIGIN,
} from '../support/console/memory-console.ts';
import { signInRoutes } from '../support/console/memory-sign-in.ts';

/** Attacks on the sign-in and the session of the console, against the real handlers in one process. */

let service: MemoryConsole;
beforeEach(() => {
  process.env['CONSOLE_URL'] = ORIGIN;
  service = memoryConsole();
  service.provider.identity = { ...service.provider.identity, signedInAtMs: service.clock.nowMs };
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation(() => true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const { start, finish, signInCookieOf, attemptOf, signIn, show, switchTo, end, readHome } = signInRoutes(
  () => service,
);

function newVictim() {
  const person = service.newPerson({ id: service.provider.identity.subject });
  const organisation = service.newOrganisation();
  service.newMember(person, organisation, 'owner');
  return { person, organisation };
}

test('S61: a session that the attacker knows before the sign-in', async () => {
  newVictim();
  const attacker = service.newSession(service.newPerson());
  const planted = { ...attacker };
  const { browser, session } = await signIn({}, attacker);
  const [before, after] = [readSessionCookie(planted.cookie)?.secret, session?.secret];
  expect(after).not.toBe(before);
  expect((await readHome(browser)).status).toBe(200);
  expect((await show(planted)).code).toBe('SIGN_IN_REQUIRED');

  // A second sign-in in the same browser also gets a new secret, and ends the first session.
  const again = await signIn({}, browser);
  expect(again.session?.secret).not.toBe(after);
  expect((await readHome(browser)).code).toBe('SIGN_IN_REQUIRED');
});

test("S62: a page on another site that sends requests with the browser's cookie", async () => {
  const { person, organisation } = newVictim();
  const browser = service.newSession(person, organisation);
  const run = jest.fn(async () => ({ data: {} }));
  const attempts: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': 'same-site', Origin: 'https://blog.example.com' },
    { 'Sec-Fetch-Site': 'none', Origin: '' },
    { 'Sec-Fetch-Site': '', Origin: 'https://evil.example' },
    { 'Sec-Fetch-Site': '', Origin: 'null' },
    { 'Sec-Fetch-Site': '', Origin: '' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
  ];
  const writes = service.writes.length;
  for (const headers of attempts) {
    const handler = consoleRoute('update-organisation', run, {}, service.deps);
    const { status, cookies } = await service.send(handler, 'update-organisation', browser, { headers });
    expect([headers, [403, 415].includes(status), cookies]).toEqual([headers, true, []]);
  }
  expect(run).not.toHaveBeenCalled();
  // According to their headers, the two requests with a wrong content type come from our own page, so the rate limiter
  // counted them.
  expect(service.writes.slice(writes).every(({ sk }) => sk === 'RATE')).toBe(true);
  expect((await readHome(browser)).status).toBe(200);
});

test("S63: the attacker's own sign-in, completed in someone else's browser", async () => {
  const theirs = await start();
  const { state } = attemptOf(theirs.cookies);
  const ours = await start();
  for (const cookie of ['', signInCookieOf(ours.cookies)]) {
    const response = await finish({ code: 'good', state }, cookie);
    expect(response).toMatchObject({ status: 303, headers: { Location: '/sign-in?failed=1' } });
    expect(response.cookies.filter((one) => one.startsWith('__Host-session='))).toEqual([]);
  }
  expect(service.sessions()).toEqual([]);
});

test('S64: a sign-in that leads to another site', async () => {
  const targets = [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/.//evil.example',
    '/\t/evil.example',
  ];
  for (const to of targets) {
    const { response } = await signIn({ to });
    expect([to, response.headers['Location']]).toEqual([to, '/']);
    // The same applies if the path was changed in the cookie.
    const attempt = {
      ...newSignInAttempt({ to: '/', startedAtMs: service.clock.nowMs, isAgain: false, previous: undefined }),
      to,
    };
    const forged = await finish(
      { code: 'good', state: attempt.state },
      `__Host-sign-in=${signInAttemptText(attempt)}`,
    );
    expect([to, forged.headers['Location']]).toEqual([to, '/']);
  }
  const { headers } = await start({ to: '//evil.example' });
  expect(new URL(String(headers['Location'])).searchParams.get('redirect_uri')).toBe(
    `${ORIGIN}/console/api/session/callback`,
  );
});

test('S65: the cookie of a suspended organisation, or of a removed member', async () => {
  const { person, organisation } = newVictim();
  const browser = service.newSession(person, organisation);
  expect((await readHome(browser)).status).toBe(200);
  service.newOrganisation({ ...organisation, status: 'SUSPENDED' });
  expect(await readHome(browser)).toMatchObject({ status: 403, code: 'ORGANISATION_SUSPENDED' });
  service.newOrganisation({ ...organisation, status: 'APPROVED' });
  expect((await readHome(browser)).status).toBe(200);
  service.newMember(person, organisation, 'owner', { status: 'REMOVED', version: 2 });
  const kept = { ...browser };
  const rejected = await readHome(browser);
  expect(rejected).toMatchObject({ status: 401, code: 'SIGN_IN_REQUIRED' });
  expect(rejected.cookies).toEqual([expect.stringContaining('Max-Age=0')]);
  expect((await switchTo({ ...kept }, organisation.id)).status).toBe(401);
  // A new sign-in does not restore access to the organisation.
  expect((await signIn()).session?.organisationId).toBeUndefined();
});

test('S66: a cookie with a different person, organisation or secret', async () => {
  const { person, organisation } = newVictim();
  const own = service.newSession(person, organisation);
  const stranger = service.newPerson();
  const theirs = service.newOrganisation();
  service.newMember(stranger, theirs, 'owner');
  const [, , secret = ''] = own.cookie.split('.');
  const forged = [
    [theirs.id, person.id, secret],
    [theirs.id, stranger.id, secret],
    [organisation.id, stranger.id, secret],
    ['-', stranger.id, secret],
    [organisation.id, person.id, 'A'.repeat(43)],
    [organisation.id, person.id, ''],
    [organisation.id, person.id, `${secret}.${secret}`],
    [`${organisation.id}#`, person.id, secret],
  ];
  for (const parts of forged)
    expect([parts, (await readHome({ cookie: parts.join('.') })).status]).toEqual([parts, 401]);
  const [ofOthers, ofNobody] = [await switchTo(own, theirs.id), await switchTo(own, '0000000000')];
  expect(ofOthers.status).toBe(404);
  expect({ ...ofOthers.json, meta: null }).toEqual({ ...ofNobody.json, meta: null });
});

test('S67: finding out which email addresses have an account', async () => {
  newVictim();
  const failures: string[] = [];
  const fail = async (changes: object, code = 'good') => {
    service.provider.identity = { ...service.provider.identity, ...changes };
    const { cookies } = await start();
    const response = await finish({ code, state: attemptOf(cookies).state }, signInCookieOf(cookies));
    const { 'X-Request-Id': _, ...headers } = response.headers;
    failures.push(JSON.stringify({ ...response, headers }));
  };
  const [known, unknown] = ['person-of-provider', 'someone-else'];
  for (const subject of [known, unknown]) {
    await fail({ subject, email: `${subject}@example.com`, isEmailVerified: false });
    await fail({ subject, email: `${subject}@example.com`, isEmailVerified: true }, 'bad');
  }
  expect(new Set(failures).size).toBe(1);
  // The start of the sign-in takes no address, so it cannot reveal one.
  const [first, second] = [
    await start(),
    await start({ email: 'ada@example.com', login_hint: 'ada@example.com' }),
  ];
  const shapeOf = ({ status, headers }: typeof first) => [
    status,
    new URL(String(headers['Location'])).pathname,
  ];
  expect(shapeOf(first)).toEqual(shapeOf(second));
  expect(String(second.headers['Location'])).not.toMatch(/ada(@|%40)/);
});

test('S68: a session on a lost device', async () => {
  const { person, organisation } = newVictim();
  const lost: Browser = service.newSession(person, organisation);
  const { browser } = await signIn();
  service.clock.nowMs += 60_000;
  expect((await end(browser, true)).status).toBe(200);
  expect((await readHome(lost)).code).toBe('SIGN_IN_REQUIRED');
  // The identity provider may still recognise the lost device, but a sign-in from it now requires the credentials.
  service.clock.nowMs += 60_000;
  const silent = await signIn();
  expect(silent.session).toBeUndefined();
  expect(silent.response.headers['Location']).toMatch(/session\/start\?.*again=1/);
});
