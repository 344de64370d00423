import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import * as v from 'valibot';
import { applyRecorded } from '../../../shared/audit/audit-table.ts';
import { HOUR_MS, MINUTE_MS } from '../../../shared/core/clock.ts';
import { personKey, sessionKey } from '../../../shared/core/keys.ts';
import { ROLES } from '../../../shared/core/member-role.ts';
import { publicRead } from '../../../shared/http/console/chain.ts';
import type { InputSchema } from '../../../shared/http/console/middleware/json-body.ts';
import { CONSOLE_ROUTES } from '../../../shared/http/console/routes.ts';
import {
  type ConsoleRun,
  consoleRoute,
  signedInRoute,
} from '../../../shared/members/middleware/console-route.ts';
import type { ConsoleRequest } from '../../../shared/members/middleware/member-request.ts';
import { sessionHash } from '../../../shared/members/session.ts';
import {
  type Browser,
  type MemoryConsole,
  memoryConsole,
  ORIGIN,
} from '../../support/console/memory-console.ts';

/** The console's chain of checks: what each check rejects, their order, and their round trips. */

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
});
afterEach(() => {
  jest.restoreAllMocks();
});

const later = (ms: number) => {
  service.clock.nowMs += ms;
};

/** Returns an owner of a new organisation, with a session. */
function newOwner() {
  const organisation = service.newOrganisation();
  const person = service.newPerson();
  service.newMember(person, organisation, 'owner');
  return { organisation, person, browser: service.newSession(person, organisation) };
}

type Run = ConsoleRun<ConsoleRequest, InputSchema, undefined>;
const showId: Run = async ({ organisation }) => ({ data: { id: organisation.id } });

const readHome = (browser?: Browser, sent = {}, run: Run = showId) =>
  service.send(consoleRoute('show-home', run, {}, service.deps), 'show-home', browser, sent);
const readSession = (browser?: Browser, sent = {}) =>
  service.send(
    signedInRoute('show-session', async ({ person }) => ({ data: { id: person.id } }), {}, service.deps),
    'show-session',
    browser,
    sent,
  );
const takeCredits = (browser?: Browser, sent = {}, run: Run = showId) =>
  service.send(consoleRoute('take-test-credits', run, {}, service.deps), 'take-test-credits', browser, sent);

test('a response has the envelope, and browsers must not store it', async () => {
  const { organisation, browser } = newOwner();
  const { status, json, headers } = await readHome(browser);

  expect(status).toBe(200);
  expect(json).toEqual({
    success: true,
    code: 'OK',
    message: 'OK.',
    data: { id: organisation.id },
    meta: { request_id: headers['X-Request-Id'], timestamp: expect.any(String) },
  });
  expect(headers).toMatchObject({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
});

describe('a page that shows another organisation or person than the session:', () => {
  const pageOf = ({ cookie }: Browser) => cookie.split('.').slice(0, 2).join('.');
  const from = (page: string) => ({ headers: { 'Console-Page': page } });
  const other = { status: 409, code: 'CHANGED_MEANWHILE' };

  test.each([
    ['a read', readHome],
    ['a write', takeCredits],
  ])('%s is rejected', async (_, send) => {
    const { organisation, person, browser } = newOwner();
    const [others, colleague] = [newOwner(), service.newPerson()];
    for (const page of [
      `${others.organisation.id}.${person.id}`,
      `${organisation.id}.${colleague.id}`,
      pageOf(others.browser),
      `-.${person.id}`,
      organisation.id,
    ])
      expect(await send(browser, from(page))).toMatchObject({
        ...other,
        headers: { 'Console-Page': pageOf(browser) },
      });
    expect((await send(browser, from(pageOf(browser)))).status).toBe(200);
    // Members may also use their own programs, which name no page.
    expect((await send(browser)).status).toBe(200);
  });

  test('a route without an organisation compares the person only', async () => {
    const { organisation, person, browser } = newOwner();
    for (const page of [`${service.newOrganisation().id}.${person.id}`, `-.${person.id}`])
      expect((await readSession(browser, from(page))).status).toBe(200);
    for (const page of [`${organisation.id}.${service.newPerson().id}`, person.id, `.x${person.id}`])
      expect(await readSession(browser, from(page))).toMatchObject(other);
  });

  test('a rejected session is not named', async () => {
    expect((await readHome({ cookie: `-.person-1.${'A'.repeat(43)}` })).headers).not.toHaveProperty(
      'Console-Page',
    );
  });
});

test('plain HTTP is rejected', async () => {
  const { browser } = newOwner();
  expect((await readHome(browser, { headers: { 'X-Forwarded-Proto': 'http' } })).code).toBe('HTTPS_REQUIRED');
});

describe('console sessions:', () => {
  const rejected = { status: 401, code: 'SIGN_IN_REQUIRED' };
  const cleared = '__Host-session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0';

  test('a request without a cookie is rejected, and nothing is read', async () => {
    expect(await readHome()).toMatchObject({ ...rejected, cookies: [] });
    expect(service.calls).toEqual([]);
  });

  test.each(['', 'x', '-.person-1.short', `a#b.person-1.${'s'.repeat(43)}`])(
    'a malformed cookie is removed without a read: %p',
    async (cookie) => {
      expect(await readHome({ cookie })).toMatchObject({ ...rejected, cookies: [cleared] });
      expect(service.calls).toEqual([]);
    },
  );

  test('an unknown secret is rejected', async () => {
    const { browser } = newOwner();
    const forged = { cookie: `${browser.cookie.slice(0, -4)}AAAA` };
    expect(await readHome(forged)).toMatchObject({ ...rejected, cookies: [cleared] });
  });

  test('a session gives no access as another person or to another organisation', async () => {
    const [ada, bola] = [newOwner(), newOwner()];
    const [organisation = '', person = '', secret = ''] = ada.browser.cookie.split('.');
    for (const cookie of [
      [organisation, bola.person.id, secret],
      [bola.organisation.id, person, secret],
      [bola.organisation.id, bola.person.id, secret],
    ])
      expect(await readHome({ cookie: cookie.join('.') })).toMatchObject(rejected);
    expect(await readHome(ada.browser)).toMatchObject({ status: 200 });
  });

  test('two cookies with the same name are rejected', async () => {
    const { browser } = newOwner();
    const headers = { Cookie: `__Host-session=${browser.cookie}; __Host-session=${browser.cookie}` };
    expect(await readHome(undefined, { headers })).toMatchObject(rejected);
  });

  test('a session that was ended is rejected', async () => {
    const { browser } = newOwner();
    const secret = browser.cookie.split('.')[2] ?? '';
    await service.tables.sessions.endSession(sessionHash(secret), '2026-11-23T09:00:00.000Z');
    expect(await readHome(browser)).toMatchObject({ ...rejected, cookies: [cleared] });
  });

  test('a removed member is rejected from the next request on', async () => {
    const { organisation, person, browser } = newOwner();
    expect((await readHome(browser)).status).toBe(200);
    service.newMember(person, organisation, 'owner', { status: 'REMOVED', version: 2 });
    expect(await readHome(browser)).toMatchObject({ ...rejected, cookies: [cleared] });
    expect(await readSession(browser)).toMatchObject(rejected);
  });

  test('signing out everywhere ends earlier sessions, but no later ones', async () => {
    const { organisation, person, browser } = newOwner();
    later(1);
    await service.tables.persons.signOutEverywhere(
      person.id,
      new Date(service.clock.nowMs).toISOString(),
      [],
    );
    later(1);
    const after = service.newSession(person, organisation);
    expect(await readHome(browser)).toMatchObject(rejected);
    expect(await readHome(after)).toMatchObject({ status: 200 });
  });

  test('a session ends after an hour without a request', async () => {
    const { browser } = newOwner();
    later(HOUR_MS - 1);
    expect((await readHome(browser)).status).toBe(200);
    later(HOUR_MS - 1);
    expect((await readHome(browser)).status).toBe(200);
    later(HOUR_MS);
    expect(await readHome(browser)).toMatchObject({ ...rejected, cookies: [cleared] });
  });

  test('a session ends after twelve hours, however often it is used', async () => {
    const { browser } = newOwner();
    for (let minutes = 0; minutes < 12 * 60 - 30; minutes += 30) {
      later(30 * MINUTE_MS);
      expect((await readHome(browser)).status).toBe(200);
    }
    later(30 * MINUTE_MS);
    expect(await readHome(browser)).toMatchObject(rejected);
  });

  test('the use of a session is recorded at most every five minutes', async () => {
    const { browser } = newOwner();
    const key = sessionKey(sessionHash(browser.cookie.split('.')[2] ?? ''));
    const writesOfUse = () => service.writes.filter(({ pk }) => pk === key.pk).length;
    const before = writesOfUse();
    for (let minute = 1; minute < 5; minute += 1) {
      later(MINUTE_MS);
      await readHome(browser);
    }
    expect(writesOfUse()).toBe(before);
    later(MINUTE_MS);
    await readHome(browser);
    expect(writesOfUse()).toBe(before + 1);
    expect(service.consoleRow(key)).toMatchObject({ usedAt: new Date(service.clock.nowMs).toISOString() });
  });

  test('a use that could not be recorded does not make the request fail', async () => {
    const { browser } = newOwner();
    later(6 * MINUTE_MS);
    service.hooks.onCall = async ({ input }) => {
      if (JSON.stringify(input).includes('"usedAt"')) throw new Error('made up');
    };
    expect((await readHome(browser)).status).toBe(200);
    expect(lines.join('')).toContain('The last use of a session was not recorded.');
  });
});

describe('requests from other sites:', () => {
  const writes: readonly (readonly [Record<string, string>, string])[] = [
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: ORIGIN }, 'OK'],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: '' }, 'OK'],
    [{ 'Sec-Fetch-Site': '', Origin: ORIGIN }, 'OK'],
    [{ 'Sec-Fetch-Site': '', Origin: '' }, 'CROSS_SITE_REQUEST'],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }, 'CROSS_SITE_REQUEST'],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: ORIGIN }, 'CROSS_SITE_REQUEST'],
    [{ 'Sec-Fetch-Site': 'same-site', Origin: 'https://www.example.com' }, 'CROSS_SITE_REQUEST'],
    [{ 'Sec-Fetch-Site': 'none', Origin: '' }, 'CROSS_SITE_REQUEST'],
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 'CROSS_SITE_REQUEST'],
    [{ 'Sec-Fetch-Site': '', Origin: `${ORIGIN}.evil.example` }, 'CROSS_SITE_REQUEST'],
    [{ 'Sec-Fetch-Site': '', Origin: ORIGIN.replace('https', 'http') }, 'CROSS_SITE_REQUEST'],
  ];
  test.each(writes)('a write with %j: %s', async (headers, code) => {
    const { browser } = newOwner();
    const run = jest.fn(showId);
    expect((await takeCredits(browser, { headers }, run)).code).toBe(code);
    expect(run).toHaveBeenCalledTimes(code === 'OK' ? 1 : 0);
  });

  test.each([
    ['', 'OK'],
    ['none', 'OK'],
    ['same-origin', 'OK'],
    ['same-site', 'CROSS_SITE_REQUEST'],
    ['cross-site', 'CROSS_SITE_REQUEST'],
  ])('a read with Sec-Fetch-Site %p: %s', async (site, code) => {
    const { browser } = newOwner();
    const response = await readHome(browser, { headers: { 'Sec-Fetch-Site': site } });
    expect(response).toMatchObject({ code, cookies: [] });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'a write with the content type %p, which another site could send, is rejected',
    async (type) => {
      const { browser } = newOwner();
      expect((await takeCredits(browser, { headers: { 'Content-Type': type } })).status).toBe(415);
    },
  );
});

describe('roles for routes:', () => {
  const routes = Object.entries(CONSOLE_ROUTES).flatMap(([name, { roles }]) =>
    typeof roles === 'string' ? [] : [[name as 'show-home', roles as readonly string[]] as const],
  );
  test.each(routes)('%s is open only to its roles', async (name, roles) => {
    const organisation = service.newOrganisation();
    for (const role of ROLES) {
      const person = service.newPerson();
      service.newMember(person, organisation, role);
      const handler = consoleRoute(name, showId, {}, service.deps);
      const { code } = await service.send(handler, name, service.newSession(person, organisation));
      expect([role, code]).toEqual([role, roles.includes(role) ? 'OK' : 'ROLE_REQUIRED']);
    }
  });

  test('a rejection names the roles that are permitted', async () => {
    const [organisation, person] = [service.newOrganisation(), service.newPerson()];
    service.newMember(person, organisation, 'viewer');
    const handler = consoleRoute('show-wallet', showId, {}, service.deps);
    const { json } = await service.send(handler, 'show-wallet', service.newSession(person, organisation));
    expect(json.message).toContain('Ask an owner, administrator or finance member of the organisation.');
  });

  test('a person without an organisation can call only the routes that need none', async () => {
    const browser = service.newSession(service.newPerson());
    expect(await readHome(browser)).toMatchObject({ status: 403, code: 'ORGANISATION_REQUIRED' });
    expect((await readSession(browser)).status).toBe(200);
  });

  test('a session in a suspended organisation can only read the bookkeeping', async () => {
    const { organisation, browser } = newOwner();
    service.newOrganisation({ ...organisation, status: 'SUSPENDED' });
    expect(await readHome(browser)).toMatchObject({
      status: 403,
      code: 'ORGANISATION_SUSPENDED',
      cookies: [],
    });
    expect((await takeCredits(browser)).code).toBe('ORGANISATION_SUSPENDED');
    for (const name of ['show-wallet', 'list-statement', 'list-invoices', 'show-invoice'] as const) {
      const handler = consoleRoute(name, showId, {}, service.deps);
      expect([name, (await service.send(handler, name, browser)).code]).toEqual([name, 'OK']);
    }
    expect((await readSession(browser)).status).toBe(200);
  });
});

describe('recent sign-ins:', () => {
  const invite = (browser: Browser) =>
    service.send(consoleRoute('invite-member', showId, {}, service.deps), 'invite-member', browser);

  test('a route that always requires a recent sign-in rejects one that is more than 15 minutes old', async () => {
    const { browser } = newOwner();
    later(15 * MINUTE_MS);
    expect((await invite(browser)).code).toBe('OK');
    later(1);
    expect(await invite(browser)).toMatchObject({
      status: 403,
      code: 'RECENT_SIGN_IN_REQUIRED',
      cookies: [],
    });
  });

  test('the time of the sign-in counts, not the start of the session', async () => {
    const { organisation, person } = newOwner();
    const signedInAt = new Date(service.clock.nowMs - HOUR_MS).toISOString();
    expect((await invite(service.newSession(person, organisation, { signedInAt }))).code).toBe(
      'RECENT_SIGN_IN_REQUIRED',
    );
  });

  test('a route for live and test keys requires a recent sign-in only for live keys', async () => {
    const { browser } = newOwner();
    later(16 * MINUTE_MS);
    const revoke = (isLive: boolean) => {
      const run: Run = async ({ requireRecentSignIn }) => {
        if (isLive) requireRecentSignIn();
        return { data: {} };
      };
      return service.send(consoleRoute('revoke-key', run, {}, service.deps), 'revoke-key', browser);
    };
    expect((await revoke(false)).code).toBe('OK');
    expect((await revoke(true)).code).toBe('RECENT_SIGN_IN_REQUIRED');
  });
});

describe("a person's rate limit", () => {
  test('allows 30 requests at once, then 10 a second, in all sessions together', async () => {
    const { organisation, person, browser } = newOwner();
    const other = service.newSession(person, organisation);
    for (let sent = 0; sent < 30; sent += 1)
      expect((await readHome(sent % 2 ? other : browser)).status).toBe(200);
    const rejected = await takeCredits(browser);
    expect(rejected).toMatchObject({ status: 429, code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } });
    expect((await readHome(other)).status).toBe(429);
    later(100);
    expect((await readHome(browser)).status).toBe(200);
    expect((await readHome(browser)).status).toBe(429);
    expect((await readHome(newOwner().browser)).status).toBe(200);
  });

  test('cannot be exceeded by concurrent reads', async () => {
    const { browser } = newOwner();
    const all = await Promise.all(Array.from({ length: 50 }, () => readHome(browser)));
    expect(all.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(30);
    expect(all.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20);
  });

  test('counts a write before it begins', async () => {
    const { person, browser } = newOwner();
    const run = jest.fn(showId);
    service.put('Console', {
      pk: personKey(person.id).pk,
      sk: 'RATE',
      tatMs: service.clock.nowMs + 2_950,
    });
    expect((await takeCredits(browser, {}, run)).status).toBe(429);
    expect(run).not.toHaveBeenCalled();
  });
});

describe('round trips:', () => {
  /** Counts the sequential round trips of a request. Concurrent calls count as one. */
  async function countTrips(send: () => Promise<unknown>): Promise<number> {
    let [trips, open] = [0, 0];
    service.hooks.onCall = async () => {
      if (open === 0) trips += 1;
      open += 1;
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
    };
    await send();
    return trips;
  }

  test('the session, the membership, the organisation and the limiter are read in one call', async () => {
    const { browser } = newOwner();
    later(6 * MINUTE_MS);
    const read = async ({ organisation }: ConsoleRequest) => {
      const data = await service.tables.organisations.getOrganisation(organisation.id);
      return { data };
    };
    expect(await countTrips(() => readHome(browser, {}, read))).toBe(2);
    expect(service.calls.length).toBe(4);
  });

  test('data that a route prefetches is read at the same time as the session', async () => {
    const { organisation, browser } = newOwner();
    const prefetch = (id: string) => service.tables.profiles.getProfile(id);
    const handler = consoleRoute(
      'show-home',
      async (request, _, profile) => ({ data: [request.organisation.id, profile ?? null] }),
      { prefetch },
      service.deps,
    );
    let response: Awaited<ReturnType<typeof readHome>> | undefined;
    expect(
      await countTrips(async () => {
        response = await service.send(handler, 'show-home', browser);
      }),
    ).toBe(2);
    expect(response?.json.data).toEqual([organisation.id, null]);
  });

  test('a rejected session does not wait for the prefetch, which would reveal the size of an organisation', async () => {
    const { organisation, browser } = newOwner();
    const cookie = `${browser.cookie.slice(0, -4)}AAAA`;
    const prefetch = jest.fn((_organisationId: string) => new Promise<undefined>(() => undefined));
    const handler = consoleRoute('show-home', showId, { prefetch }, service.deps);
    expect((await service.send(handler, 'show-home', { cookie })).code).toBe('SIGN_IN_REQUIRED');
    expect(prefetch.mock.calls[0]?.[0]).toBe(organisation.id);
  }, 5_000);

  test('an error during the prefetch is ignored if the session is rejected', async () => {
    const { organisation } = newOwner();
    const cookie = `${organisation.id}.person-1.${'A'.repeat(43)}`;
    const run = jest.fn(showId);
    const prefetch = async () => {
      throw new Error('made up');
    };
    const handler = consoleRoute('show-home', run as Run, { prefetch }, service.deps);
    expect((await service.send(handler, 'show-home', { cookie })).code).toBe('SIGN_IN_REQUIRED');
    expect(run).not.toHaveBeenCalled();
  });
});

describe('request bodies:', () => {
  const body = v.strictObject({
    name: v.pipe(v.string(), v.maxLength(5, 'Send at most 5 characters.')),
    lines: v.optional(v.array(v.string())),
    is_enabled: v.optional(v.boolean()),
    contact: v.optional(v.strictObject({ email: v.pipe(v.string(), v.email('Send an email address.')) })),
    role: v.optional(v.picklist(['owner', 'viewer'])),
  });
  const send = (sent: unknown) => {
    const { browser } = newOwner();
    const handler = consoleRoute(
      'change-service',
      async (_, input) => ({ data: input }),
      { body },
      service.deps,
    );
    return service.send(handler, 'change-service', browser, { body: sent });
  };

  test.each([
    [{}, 'name', 'missing_field'],
    [{ names: 'a' }, 'names', 'unknown_field'],
    [{ name: 7 }, 'name', 'wrong_type'],
    [{ name: 'abcdef' }, 'name', 'too_long'],
    [{ name: 'a', lines: 'b' }, 'lines', 'wrong_type'],
    [{ name: 'a', lines: ['b', 1] }, 'lines.1', 'wrong_type'],
    [{ name: 'a', is_enabled: 'yes' }, 'is_enabled', 'wrong_type'],
    [{ name: 'a', contact: { email: 'b' } }, 'contact.email', 'wrong_format'],
    [{ name: 'a', contact: { email: 'b@example.com', x: 1 } }, 'contact.x', 'unknown_field'],
    [{ name: 'a', contact: [] }, 'contact', 'wrong_type'],
    [{ name: 'a', role: 'Owner' }, 'role', 'wrong_value'],
    [[], '', 'not_an_object'],
    ['{"name":"a","name":"b"}', 'name', 'duplicate_field'],
    ['{"name":', '', 'not_json'],
  ])('%j is rejected, and the error names the field %p: %s', async (sent, field, reason) => {
    const { status, json } = await send(sent);
    expect([status, json.code, json.error.field, json.error.reason]).toEqual([
      400,
      'INVALID_SCHEMA',
      field,
      reason,
    ]);
    expect(json.message).toMatch(/^[A-Z].*\. .*[.?]$/);
    expect(json.message).not.toMatch(/Expected|received|openapi/);
  });

  test('an unknown field of an optional object gets a suggestion', async () => {
    const { json } = await send({ name: 'a', contact: { e_mail: 'b@example.com' } });
    expect(json.error).toMatchObject({ field: 'contact.e_mail', hint: 'Did you mean "email"?' });
  });

  test('an error about a field has the hint from the schema', async () => {
    expect((await send({ name: 'abcdef' })).json.error.hint).toBe('Send at most 5 characters.');
  });

  test('a body of more than 4,096 bytes is rejected', async () => {
    expect((await send({ name: 'a'.repeat(4_096) })).status).toBe(413);
  });

  test('a route without a schema accepts only an empty object', async () => {
    const { browser } = newOwner();
    expect((await takeCredits(browser, { body: {} })).status).toBe(200);
    expect((await takeCredits(browser, { body: { env: 'live' } })).json.error.field).toBe('env');
  });

  test('unknown parameters are rejected', async () => {
    const { browser } = newOwner();
    const query = { org: 'x' };
    for (const send of [readHome, takeCredits])
      expect((await send(browser, { query })).json.error.field).toBe('org');
  });
});

describe('records of requests:', () => {
  test("the audit entry of a change names the member, the route's action, the address and the request", async () => {
    const { organisation, person, browser } = newOwner();
    const run: Run = async ({ recorder }) => {
      const record = recorder.record({
        organisationId: organisation.id,
        target: 'wallet',
        after: { credits: 5 },
      });
      await applyRecorded(service.client, [], record);
      return { data: {} };
    };
    const { headers } = await takeCredits(browser, {}, run);
    expect(service.auditEntries()).toMatchObject([
      {
        actor: `member:${person.id}`,
        action: 'test credits',
        address: '203.0.113.7',
        requestId: headers['X-Request-Id'],
        target: 'wallet',
      },
    ]);
  });

  test('a route without an action cannot write an audit entry', async () => {
    const { organisation, browser } = newOwner();
    const run: Run = async ({ recorder }) => ({
      data: recorder.record({ organisationId: organisation.id, target: 'x' }),
    });
    expect((await readHome(browser, {}, run)).code).toBe('SERVER_ERROR');
  });

  test('the log line names no person, and an unknown error reveals nothing to the browser', async () => {
    const { person, organisation, browser } = newOwner();
    const run: Run = async () => {
      throw new Error(`secret of ${person.email}`);
    };
    const { status, json } = await readHome(browser, {}, run);
    expect([status, json.code, json.data]).toEqual([500, 'SERVER_ERROR', null]);
    const text = lines.join('');
    expect(text).toContain(`"organisation":"${organisation.id}"`);
    expect(text).toContain('"faults":1');
    for (const secret of [person.id, person.email, person.name, browser.cookie.split('.')[2] ?? ''])
      expect(text + JSON.stringify(json)).not.toContain(secret);
  });
});

test('a public route returns 304 to a client that has the content, with the headers for caches', async () => {
  const content = { contentType: 'text/plain', text: 'All registries respond.' };
  const handler = publicRead('show-status', async () => ({ content, maxAgeSeconds: 60 }));
  const read = (headers = {}) => service.send(handler, 'show-status', undefined, { headers });
  const first = await read();
  const again = await read({ 'if-none-match': first.headers['ETag'] });
  expect([first.status, again.status]).toEqual([200, 304]);
  const cached = ({ headers }: typeof first) => [headers['ETag'], headers['Cache-Control'], headers['Vary']];
  expect(cached(again)).toEqual(cached(first));
  expect(cached(again)).toEqual([expect.any(String), 'public, max-age=60', 'Accept-Encoding']);
});
