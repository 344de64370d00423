import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { lagosDay } from '../../../shared/core/accounting-month.ts';
import { HOUR_MS } from '../../../shared/core/clock.ts';
import { memberKey, membershipKey, personKey, sessionKey } from '../../../shared/core/keys.ts';
import { sessionHash } from '../../../shared/members/session.ts';
import { type MemoryConsole, memoryConsole, ORIGIN } from '../../support/console/memory-console.ts';
import { signInRoutes } from '../../support/console/memory-sign-in.ts';

/**
 * Signing in, sessions, switching the organisation and signing out, with an identity provider that the test controls.
 */

let service: MemoryConsole;
let lines: string[];
beforeEach(() => {
  process.env['CONSOLE_URL'] = ORIGIN;
  service = memoryConsole();
  lines = [];
  for (const stream of [process.stdout, process.stderr])
    jest.spyOn(stream, 'write').mockImplementation((line) => {
      lines.push(String(line));
      return true;
    });
  service.provider.identity = { ...service.provider.identity, signedInAtMs: service.clock.nowMs };
});
afterEach(() => {
  jest.restoreAllMocks();
});

const FAILED = { status: 303, headers: { Location: '/sign-in?failed=1' } };
const CLEARED = '__Host-sign-in=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0';
const later = (ms: number) => {
  service.clock.nowMs += ms;
};

const { start, finish, signInCookieOf, attemptOf, signIn, show, switchTo, end, readHome } = signInRoutes(
  () => service,
);

function ownerOf(...names: readonly string[]) {
  const { subject: id } = service.provider.identity;
  const person = service.newPerson({ id, email: 'ada@example.com', name: 'Ada Obi' });
  return names.map((name) => {
    const organisation = service.newOrganisation({ name });
    service.newMember(person, organisation, 'owner');
    return organisation;
  });
}

describe('a sign-in', () => {
  test('starts at the identity provider, with its secrets in a cookie that lasts ten minutes', async () => {
    const { status, headers, cookies } = await start({ to: '/keys?env=test' });
    expect(status).toBe(303);
    const url = new URL(String(headers['Location']));
    expect(url.origin).toBe('https://sign-in.example.com');
    expect(url.searchParams.get('redirect_uri')).toBe(`${ORIGIN}/console/api/session/callback`);
    expect(cookies).toEqual([
      expect.stringMatching(/^__Host-sign-in=[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
    expect(attemptOf(cookies)).toMatchObject({ to: '/keys?env=test', isAgain: false });
    expect(service.writes).toEqual([]);
  });

  test('begins a session in a cookie that scripts and other sites cannot use', async () => {
    const { response, session } = await signIn({ to: '/keys' });
    expect(response).toMatchObject({
      status: 303,
      headers: { Location: '/keys', 'Cache-Control': 'no-store' },
    });
    expect(response.cookies).toEqual([
      expect.stringMatching(
        /^__Host-session=-\.person-of-provider\.[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
      ),
      CLEARED,
    ]);
    const row = service.consoleRow(sessionKey(sessionHash(session?.secret ?? '')));
    const now = new Date(service.clock.nowMs).toISOString();
    expect(row).toMatchObject({
      personId: 'person-of-provider',
      createdAt: now,
      signedInAt: now,
      usedAt: now,
    });
    expect(JSON.stringify(service.writes)).not.toContain(session?.secret);
  });

  test('stores the person with a lower-case address and keeps the time of the first sign-in', async () => {
    await signIn();
    const firstTime = new Date(service.clock.nowMs).toISOString();
    later(60_000);
    service.provider.identity = { ...service.provider.identity, email: 'ADA@new.example.com' };
    await signIn();
    expect(service.consoleRow(personKey('person-of-provider'))).toMatchObject({
      email: 'ada@new.example.com',
      name: 'Ada Obi',
      createdAt: firstTime,
    });
  });

  test.each([
    [undefined, 'Ada'],
    ['  ', 'Ada'],
    ['Ada\u202eObi', 'Ada'],
    ['NIMC Security, call 0803 555 0199', 'Ada'],
    ['Open evil.example', 'Ada'],
    ['  Ada Obi ', 'Ada Obi'],
    ['a'.repeat(200), 'a'.repeat(100)],
  ])('stores the name %j as %j', async (name, stored) => {
    service.provider.identity = { ...service.provider.identity, name };
    await signIn();
    expect(service.consoleRow(personKey('person-of-provider'))?.['name']).toBe(stored);
  });

  test.each([
    ['Ada.Obi', 'Ada Obi'],
    ['nimc.security.call.0803.555.0199', 'Member'],
    ['nimc-12345678901', 'Member'],
    ['open+www.evil', 'open+www evil'],
    ['\u202eada', 'Member'],
  ])('of a person without a name, stores the email name %j as %j', async (mailbox, stored) => {
    const email = `${mailbox}@evil.example`;
    service.provider.identity = { ...service.provider.identity, name: undefined, email };
    await signIn();
    expect(service.consoleRow(personKey('person-of-provider'))?.['name']).toBe(stored);
  });

  test("refreshes the name and last day of an active member under both keys, and nobody else's", async () => {
    const [first, second] = ownerOf('Harmattan', 'Savannah');
    if (!first || !second) throw new Error('There are no organisations.');
    const { subject: personId } = service.provider.identity;
    const removed = { personName: 'Removed member', email: '', status: 'REMOVED' as const };
    service.newMember({ id: personId, email: '', name: '', createdAt: '' }, second, 'viewer', removed);
    service.provider.identity = { ...service.provider.identity, name: 'Ada Eze', email: 'eze@example.com' };
    await signIn();
    for (const key of [memberKey(first.id, personId), membershipKey(personId, first.id)])
      expect(service.consoleRow(key)).toMatchObject({
        personName: 'Ada Eze',
        email: 'eze@example.com',
        signedInOn: lagosDay(service.clock.nowMs),
        version: 1,
      });
    for (const key of [memberKey(second.id, personId), membershipKey(personId, second.id)])
      expect(service.consoleRow(key)).toMatchObject({ personName: 'Removed member', email: '' });
  });

  test('opens the organisation of the previous session, or else the first by name', async () => {
    const [savannah, harmattan] = ownerOf('Savannah', 'Harmattan');
    const first = await signIn();
    expect(first.session?.organisationId).toBe(harmattan?.id);
    await switchTo(first.browser, savannah?.id);
    expect((await signIn({}, first.browser)).session?.organisationId).toBe(savannah?.id);
  });

  test('does not open an organisation that the person has left', async () => {
    const [savannah, harmattan] = ownerOf('Savannah', 'Harmattan');
    if (!savannah) throw new Error('There is no organisation.');
    const { browser } = await signIn();
    await switchTo(browser, savannah.id);
    const person = { id: 'person-of-provider', email: 'ada@example.com', name: 'Ada Obi', createdAt: '' };
    service.newMember(person, savannah, 'owner', { status: 'REMOVED', version: 2 });
    expect((await signIn({}, browser)).session?.organisationId).toBe(harmattan?.id);
  });

  test("ends the browser's previous session, and creates a new secret", async () => {
    const [organisation] = ownerOf('Harmattan');
    const old = await signIn();
    const fresh = await signIn({}, old.browser);
    expect(fresh.session?.secret).not.toBe(old.session?.secret);
    expect((await readHome(old.browser)).code).toBe('SIGN_IN_REQUIRED');
    expect((await readHome(fresh.browser)).json.data).toBe(organisation?.id);
  });

  test('logs no personal data', async () => {
    const { session } = await signIn();
    const text = lines.join('');
    for (const secret of ['Ada Obi', 'ada@', 'Example.com', 'person-of-provider', session?.secret ?? ''])
      expect(text.toLowerCase()).not.toContain(secret.toLowerCase());
  });
});

describe('a sign-in without a second factor', () => {
  beforeEach(() => {
    service.unprotected.add('person-of-provider');
  });

  test('begins no session and stores nothing, and starts again with the credentials', async () => {
    const { response, session } = await signIn({ to: '/keys' });
    expect(response.headers['Location']).toBe(
      `/console/api/session/start?to=${encodeURIComponent('/keys')}&again=1`,
    );
    expect(session).toBeUndefined();
    expect(service.writes).toEqual([]);
    service.unprotected.clear();
    expect((await signIn({ to: '/keys', again: '1' })).session).toBeDefined();
  });
});

describe('a sign-in fails in the same way', () => {
  /** Expects the same response as for every other failure, and no new session. */
  async function expectFailure(send: () => ReturnType<typeof finish>) {
    const sessions = service.sessions().length;
    const response = await send();
    expect(response).toMatchObject({ ...FAILED, json: undefined, cookies: [CLEARED] });
    expect(service.sessions().length).toBe(sessions);
  }

  test('without its cookie', async () => {
    const { cookies } = await start();
    await expectFailure(() => finish({ code: 'good', state: attemptOf(cookies).state }, ''));
  });

  test('with the cookie of another attempt', async () => {
    const [ours, theirs] = [await start(), await start()];
    const { state } = attemptOf(theirs.cookies);
    await expectFailure(() => finish({ code: 'good', state }, signInCookieOf(ours.cookies)));
  });

  test('without a state', async () => {
    const { cookies } = await start();
    await expectFailure(() => finish({ code: 'good' }, signInCookieOf(cookies)));
  });

  test('after ten minutes', async () => {
    const { cookies } = await start();
    const { state } = attemptOf(cookies);
    later(600_000);
    await expectFailure(() => finish({ code: 'good', state }, signInCookieOf(cookies)));
  });

  test('with a code that the identity provider rejects', async () => {
    const { cookies } = await start();
    const { state } = attemptOf(cookies);
    await expectFailure(() => finish({ code: 'bad', state }, signInCookieOf(cookies)));
  });

  test('with an address that was not verified', async () => {
    service.provider.identity = { ...service.provider.identity, isEmailVerified: false };
    const { cookies } = await start();
    const { state } = attemptOf(cookies);
    await expectFailure(() => finish({ code: 'good', state }, signInCookieOf(cookies)));
    expect(service.writes).toEqual([]);
  });

  test.each(['', 'a#b', 'a.b', '../x', 'a'.repeat(129)])('with the subject %j', async (subject) => {
    service.provider.identity = { ...service.provider.identity, subject };
    const { cookies } = await start();
    const { state } = attemptOf(cookies);
    await expectFailure(() => finish({ code: 'good', state }, signInCookieOf(cookies)));
    expect(service.writes).toEqual([]);
  });

  test('if the identity provider cannot be reached, which is counted', async () => {
    service.provider.failure = new Error('made up');
    expect(await start()).toMatchObject({ ...FAILED, cookies: [CLEARED] });
    expect(lines.join('')).toContain('"failedSignIns":1');
  });

  test('if our tables fail, which is counted as a fault', async () => {
    const { cookies } = await start();
    const { state } = attemptOf(cookies);
    service.hooks.onCall = async () => {
      throw new Error('made up');
    };
    await expectFailure(() => finish({ code: 'good', state }, signInCookieOf(cookies)));
    expect(lines.join('')).toContain('"faults":1');
  });
});

describe('a recent sign-in', () => {
  test('asks the identity provider for the credentials', async () => {
    expect(attemptOf((await start({ again: '1' })).cookies).isAgain).toBe(true);
    expect(attemptOf((await start({ again: '0' })).cookies).isAgain).toBe(false);
  });

  test('fails if the identity provider did not ask for the credentials', async () => {
    service.provider.identity = { ...service.provider.identity, signedInAtMs: service.clock.nowMs - 120_000 };
    expect((await signIn({ again: '1' })).response).toMatchObject(FAILED);
    expect((await signIn()).response.headers['Location']).toBe('/');
  });

  test('is not recorded if a session begins without new credentials', async () => {
    const signedInAtMs = service.clock.nowMs - HOUR_MS;
    service.provider.identity = { ...service.provider.identity, signedInAtMs };
    const { session } = await signIn();
    expect(service.consoleRow(sessionKey(sessionHash(session?.secret ?? '')))).toMatchObject({
      signedInAt: new Date(signedInAtMs).toISOString(),
    });
  });
});

describe('a session', () => {
  test('lists the organisations of the person, sorted by name', async () => {
    const [savannah, harmattan] = ownerOf('Savannah', 'Harmattan');
    const { browser } = await signIn();
    const { status, json } = await show(browser);
    expect(status).toBe(200);
    expect(json.data).toEqual({
      person: { id: 'person-of-provider', name: 'Ada Obi', email: 'ada@example.com' },
      signed_in_at: new Date(service.clock.nowMs).toISOString(),
      organisation: {
        ...{ id: harmattan?.id, name: 'Harmattan', role: 'owner' },
        ...{ status: 'PENDING', suspended_because: null },
      },
      organisations: [
        { id: harmattan?.id, name: 'Harmattan', role: 'owner' },
        { id: savannah?.id, name: 'Savannah', role: 'owner' },
      ],
      ...service.viewDeps.links,
    });
  });

  test('is also shown to people without an organisation', async () => {
    const { browser } = await signIn();
    expect((await show(browser)).json.data).toMatchObject({ organisation: null, organisations: [] });
  });

  test("can switch to another of the person's organisations", async () => {
    const [savannah, harmattan] = ownerOf('Savannah', 'Harmattan');
    const { browser, session } = await signIn();
    expect((await readHome(browser)).json.data).toBe(harmattan?.id);
    const { json, cookies } = await switchTo(browser, savannah?.id);
    expect(json.data.organisation).toMatchObject({ id: savannah?.id, name: 'Savannah' });
    expect(cookies[0]).toContain(`__Host-session=${savannah?.id}.person-of-provider.${session?.secret};`);
    expect((await readHome(browser)).json.data).toBe(savannah?.id);
  });

  test("cannot switch to other people's organisations and does not reveal whether they exist", async () => {
    ownerOf('Harmattan');
    const { browser } = await signIn();
    const other = service.newOrganisation({ name: 'Other' });
    const responses = [await switchTo(browser, other.id), await switchTo(browser, '0000000000')];
    for (const { status, cookies } of responses) expect([status, cookies]).toEqual([404, []]);
    const [first, second] = responses.map(({ json }) => JSON.stringify({ ...json, meta: null }));
    expect(first).toBe(second);
  });

  test('cannot switch to an invalid organisation ID, and reads no row for it', async () => {
    ownerOf('Harmattan');
    const { browser } = await signIn();
    const read = jest.spyOn(service.viewDeps.organisations, 'getOrganisation');
    for (const id of ['', '-', 'a#b', 'a'.repeat(3_000)]) {
      const { status, code, cookies } = await switchTo(browser, id);
      expect([status, code, cookies]).toEqual([404, 'RESOURCE_NOT_FOUND', []]);
    }
    expect(read).not.toHaveBeenCalled();
  });

  test('accepts only a string as the organisation ID', async () => {
    ownerOf('Harmattan');
    const { browser } = await signIn();
    for (const id of [7, null, undefined, ['a'], {}]) expect((await switchTo(browser, id)).status).toBe(400);
  });
});

describe('a sign-out', () => {
  test('ends the session, and returns the address that ends it at the identity provider', async () => {
    ownerOf('Harmattan');
    const { browser } = await signIn();
    const old = { ...browser };
    const { json, cookies } = await end(browser, false);
    expect(json.data.sign_out_url).toBe(
      `https://sign-in.example.com/logout?${new URLSearchParams({ returnTo: `${ORIGIN}/sign-in` })}`,
    );
    expect(cookies).toEqual(['__Host-session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0']);
    expect((await readHome(old)).code).toBe('SIGN_IN_REQUIRED');
    expect(service.auditEntries()).toEqual([]);
  });

  test("in one browser leaves the person's other sessions open", async () => {
    ownerOf('Harmattan');
    const [here, elsewhere] = [await signIn(), await signIn()];
    await end(here.browser, false);
    expect((await readHome(elsewhere.browser)).status).toBe(200);
  });

  test('everywhere ends all sessions of the person and is recorded for each organisation', async () => {
    const organisations = ownerOf('Savannah', 'Harmattan');
    const [here, elsewhere] = [await signIn(), await signIn()];
    const other = service.newPerson();
    const others = service.newSession(other);
    later(1_000);
    await end(here.browser, true);
    expect((await readHome(elsewhere.browser)).code).toBe('SIGN_IN_REQUIRED');
    expect((await show(others)).status).toBe(200);
    const entries = service
      .auditEntries()
      .map(({ organisationId, actor, action }) => [organisationId, actor, action]);
    expect(entries.sort()).toEqual(
      organisations.map(({ id }) => [id, 'member:person-of-provider', 'session end everywhere']).sort(),
    );
  });

  test('everywhere also requires credentials at the next sign-in on every device', async () => {
    ownerOf('Harmattan');
    const { browser } = await signIn();
    later(60_000);
    await end(browser, true);
    later(60_000);
    // Another device, where the identity provider still has a session.
    const silent = await signIn({ to: '/keys' });
    expect(silent.response.headers['Location']).toBe(
      `/console/api/session/start?to=${encodeURIComponent('/keys')}&again=1`,
    );
    expect(silent.session).toBeUndefined();
    service.provider.identity = { ...service.provider.identity, signedInAtMs: service.clock.nowMs };
    expect((await signIn({ to: '/keys', again: '1' })).response.headers['Location']).toBe('/keys');
  });

  test('works even if the identity provider cannot be reached', async () => {
    ownerOf('Harmattan');
    const { browser } = await signIn();
    const old = { ...browser };
    service.provider.signOutUrl = async () => {
      throw new Error('made up');
    };
    expect((await end(browser, false)).json.data.sign_out_url).toBe(`${ORIGIN}/sign-in`);
    expect((await readHome(old)).code).toBe('SIGN_IN_REQUIRED');
  });
});
