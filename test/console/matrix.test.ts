import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashOf } from '../../shared/accounts/api-key.ts';
import type { Organisation } from '../../shared/accounts/organisation.ts';
import { MINUTE_MS } from '../../shared/core/clock.ts';
import type { Row } from '../../shared/core/database.ts';
import {
  auditPk,
  memberKey,
  membershipKey,
  organisationKey,
  personKey,
  personLimiterKey,
  sessionKey,
} from '../../shared/core/keys.ts';
import { ROLES } from '../../shared/core/member-role.ts';
import { CONSOLE_ROUTES, type ConsoleRouteName, consoleRouteOf } from '../../shared/http/console/routes.ts';
import type { SessionView } from '../../shared/members/console/views.ts';
import { PERSON_RATE_LIMIT } from '../../shared/members/person-limiter-table.ts';
import {
  type ConsoleClient,
  type ConsoleResponse,
  SESSION_COOKIE,
  sessionOf,
  signIn,
} from '../support/console.ts';
import {
  consoleOrganisation,
  join,
  type PersonView,
  putColleague,
  putMember,
  putRow,
  rowsOf,
  setAttributes,
  snapshot,
} from '../support/console-organisation.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import {
  CALLERS,
  type Caller,
  CELLS,
  type Cell,
  type Expected,
  expectedOf,
  type Judged,
  judge,
  roleOf,
  summaryOf,
} from './matrix-cells.ts';
import { type MatrixRequest, REQUESTS, type Scene, STATUS_BEFORE } from './matrix-requests.ts';

/**
 * Every route of the console with every kind of caller, over HTTP, with sessions from real sign-ins. `npm test` sends
 * all requests of an owner and of a viewer, and a random sample for the other callers: their checks are the same code
 * on every route, and test/unit/console/chain.test.ts tests them on all routes in memory.
 */

/** Signing in and waiting for slow functions may take a long time on a busy machine. */
const MAX_MS = 300_000;

/** The caller of a cell, and what belongs to them. */
interface Actor extends Scene {
  readonly caller: Caller;
  readonly client: ConsoleClient;
  readonly person: PersonView;
  /** The cookies that every request sends. Cookies that a response sets are not kept. */
  readonly cookies: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
}

interface Sent {
  readonly cell: Cell;
  readonly response: ConsoleResponse<SessionView>;
}

const judged: Judged[] = [];

const ROUTE_NAMES = Object.keys(CONSOLE_ROUTES) as ConsoleRouteName[];
/** These callers show whether the function of each route makes the checks: one may do everything, and one only read. */
const COMPLETE: readonly Caller[] = ['owner', 'viewer'];
const SAMPLE = 8;
const sentCells = CALLERS.flatMap((caller) => {
  const isSampled = !isComplete && !COMPLETE.includes(caller);
  const routes = isSampled ? randomCases(ROUTE_NAMES, SAMPLE) : ROUTE_NAMES;
  return CELLS.filter((cell) => cell.caller === caller && routes.includes(cell.route));
});

async function actorOf(caller: Caller): Promise<Actor> {
  const email = `${caller.replaceAll(' ', '-')}-${randomBytes(4).toString('hex')}@example.com`;
  const own = await consoleOrganisation(`Own organisation of ${caller}`, {
    status: caller === 'owner of a suspended organisation' ? 'SUSPENDED' : 'APPROVED',
  });
  const foreign = await consoleOrganisation(`Other organisation of ${caller}`);
  const inviting = await consoleOrganisation(`Inviting organisation of ${caller}`);
  // Each organisation has an owner besides the caller, so that no write fails because the last owner must stay.
  for (const organisation of [own, foreign, inviting]) await putColleague(organisation, 'owner');
  const client = await signIn(email);
  const { person } = await sessionOf(client);
  if (caller === 'without organisation') await putMember(own, person, 'owner');
  else await join(client, own, roleOf(caller));
  await bringIntoState(caller, client, person, { own, foreign });
  const headers: Record<string, string> =
    caller === 'owner on a page of another site'
      ? { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://attacker.example' }
      : {};
  return { caller, email, own, foreign, inviting, client, person, cookies: new Map(client.cookies), headers };
}

async function bringIntoState(
  caller: Caller,
  client: ConsoleClient,
  person: PersonView,
  { own, foreign }: { readonly own: Organisation; readonly foreign: Organisation },
): Promise<void> {
  const [organisationId = '', personId = '', secret = ''] = (client.cookies.get(SESSION_COOKIE) ?? '').split(
    '.',
  );
  const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS).toISOString();
  const setSession = (values: Row) => setAttributes('CONSOLE_TABLE', sessionKey(hashOf(secret)), values);
  const setCookie = (...parts: string[]) => client.cookies.set(SESSION_COOKIE, parts.join('.'));
  switch (caller) {
    case 'owner without a recent sign-in':
      return setSession({ signedInAt: ago(16) });
    case 'session after an hour without a request':
      return setSession({ usedAt: ago(61) });
    case 'session 12 hours after it began':
      return setSession({ createdAt: ago(12 * 60 + 1), usedAt: ago(1) });
    case 'ended session':
      return setSession({ endedAt: ago(1) });
    case 'signed out on all devices':
      return setAttributes('CONSOLE_TABLE', personKey(person.id), { signedOutAt: new Date().toISOString() });
    case 'removed member':
      for (const key of [memberKey(own.id, person.id), membershipKey(person.id, own.id)])
        await setAttributes('CONSOLE_TABLE', key, { status: 'REMOVED' });
      return;
    case 'signed out':
      return client.cookies.clear();
    case 'forged cookie':
      setCookie(organisationId, personId, randomBytes(32).toString('base64url'));
      return;
    case 'cookie with the ID of another organisation':
      setCookie(foreign.id, personId, secret);
  }
}

const RESET_AFTER = PERSON_RATE_LIMIT.burst / 2;

/** Sends the request of a cell with the caller's own cookies. Resets the rate limit before it is reached. */
async function send(
  actor: Actor,
  cell: Cell,
  { parameter = '', query = '', body }: MatrixRequest,
): Promise<Sent> {
  const { client, cookies, headers, person } = actor;
  const { method, path } = consoleRouteOf(cell.route);
  client.cookies.clear();
  for (const [name, value] of cookies) client.cookies.set(name, value);
  if (judged.length % RESET_AFTER === 0) await putRow('CONSOLE_TABLE', personLimiterKey(person.id), {});
  const response = await client.send<SessionView>(method, path.replace(/\{\w+\}/, parameter) + query, {
    ...(method !== 'GET' && { body }),
    headers,
  });
  judged.push(judge(cell, resultOf(response)));
  return { cell, response };
}

const resultOf = ({ status, json }: ConsoleResponse): Expected => ({
  status,
  ...(json && { code: json.code as NonNullable<Expected['code']> }),
});

/** Returns a response without the parts that differ between any two requests. */
function withoutMeta({ response: { status, json } }: Sent): unknown {
  return { status, ...json, meta: undefined };
}

const nameOf = ({ route, target }: Cell) => `${route} (${target})`;

describe.each(CALLERS)('%s', (caller) => {
  const cells = sentCells.filter((cell) => cell.caller === caller);
  let actor: Actor;
  beforeAll(async () => {
    actor = await actorOf(caller);
  }, MAX_MS);

  test(
    'is rejected as the table of routes says, and changes nothing',
    async () => {
      const rejected = cells.filter((cell) => expectedOf(cell).status >= 400);
      const prepared: (readonly [Cell, MatrixRequest])[] = [];
      for (const cell of rejected) prepared.push([cell, await REQUESTS[cell.route](actor, cell.target)]);
      const before = await rowsAround(actor);
      const sent: Sent[] = [];
      for (const [cell, request] of prepared) sent.push(await send(actor, cell, request));
      const after = await rowsAround(actor);

      expect(unexpected(caller)).toEqual([]);
      expect(after).toEqual(before);
      // IDs of other organisations cannot be distinguished from IDs that do not exist.
      for (const foreign of sent.filter(({ cell }) => cell.target === 'foreign')) {
        const { route } = foreign.cell;
        const unknown = sent.find(({ cell }) => cell.route === route && cell.target === 'unknown');
        if (!unknown) throw new Error(`${route} was not sent with an unknown ID.`);
        expect([nameOf(foreign.cell), withoutMeta(foreign)]).toEqual([
          nameOf(foreign.cell),
          withoutMeta(unknown),
        ]);
      }
    },
    MAX_MS,
  );

  test(
    'may do what the table of routes says, and each change is recorded',
    async () => {
      const allowed = cells.filter((cell) => expectedOf(cell).status < 400);
      const missing: string[] = [];
      // `end-session` is last, because it ends the session.
      for (const cell of allowed.sort((a, b) => order(a) - order(b))) {
        const request = await REQUESTS[cell.route](actor, cell.target);
        const { id, status } = actor.own;
        const before = { status: STATUS_BEFORE[cell.route] ?? status };
        await setAttributes('API_KEYS_TABLE', organisationKey(id), before);
        const { response } = await send(actor, cell, request);
        if (response.status === 200 && !(await isRecorded(actor, cell, response))) missing.push(nameOf(cell));
      }

      expect(unexpected(caller)).toEqual([]);
      expect(missing).toEqual([]);
    },
    MAX_MS,
  );
});

const order = ({ route }: Cell) => (route === 'end-session' ? 1 : 0);

/** Returns the rows of the caller and of the organisations that a request could concern. */
async function rowsAround({ own, foreign, inviting, person }: Actor): Promise<Row[]> {
  const rows = await Promise.all([own, foreign, inviting].map(({ id }) => snapshot(id, person.id)));
  return rows.flat();
}

/** Whether the audit trail contains the caller and the action of a change, or no row if the route records none. */
async function isRecorded(
  { own, inviting, person }: Actor,
  { route }: Cell,
  { headers, json }: ConsoleResponse<SessionView>,
): Promise<boolean> {
  const { action } = consoleRouteOf(route);
  const organisationId =
    { 'accept-invitation': inviting.id, 'create-organisation': json?.data?.organisation?.id }[
      route as string
    ] ?? own.id;
  const rows = await rowsOf('AUDIT_TRAIL_TABLE', auditPk(organisationId));
  const ofRequest = rows.filter(({ requestId }) => requestId === headers.get('X-Request-Id'));
  if (action === undefined) return ofRequest.length === 0;
  return ofRequest.some((row) => row['action'] === action && row['actor'] === `member:${person.id}`);
}

const unexpected = (caller: Caller) =>
  judged
    .filter(({ cell, verdict }) => cell.caller === caller && verdict !== 'as expected')
    .map(
      ({ cell, verdict, expected, actual }) =>
        `${nameOf(cell)}: ${verdict}, ${actual.status} ${actual.code} instead of ${expected.status} ${expected.code}`,
    );

describe('the matrix', () => {
  test('has no cell that allows what the table does not', () => {
    expect(judged).toHaveLength(sentCells.length);
    expect(summaryOf(judged)).toBe(`${sentCells.length} cells, 0 unexpected allows`);
  });

  test('has a request for every route, and cells with foreign IDs for every route with {id} in its path', () => {
    expect(Object.keys(REQUESTS).sort()).toEqual(ROUTE_NAMES.toSorted());
    const withIds = ROUTE_NAMES.filter((name) => consoleRouteOf(name).path.includes('{id}'));
    for (const route of withIds)
      expect(CELLS.filter((cell) => cell.route === route && cell.target === 'foreign')).toHaveLength(
        CALLERS.length,
      );
  });

  test('S69: IDs of another organisation, on every route of the console that takes one', () => {
    const foreign = judged.filter(({ cell }) => cell.target === 'foreign');
    const withIds = ROUTE_NAMES.filter((name) => consoleRouteOf(name).path.includes('{id}'));
    const byOwner = foreign.filter(({ cell }) => cell.caller === 'owner').map(({ cell }) => cell.route);
    expect(byOwner).toEqual(expect.arrayContaining(withIds));
    expect(foreign.filter(({ actual }) => actual.status < 400)).toEqual([]);
  });

  test('detects a route that allows more than the table, and one that allows less', () => {
    const viewer = (route: ConsoleRouteName): Cell => ({ route, caller: 'viewer', target: 'own' });
    const more = judge(viewer('create-key'), { status: 200, code: 'OK' });
    const less = judge(viewer('show-home'), { status: 403, code: 'ROLE_REQUIRED' });
    const other = judge(viewer('create-key'), { status: 401, code: 'SIGN_IN_REQUIRED' });

    expect([more, less, other].map(({ verdict }) => verdict)).toEqual([
      'unexpected allow',
      'unexpected reject',
      'different response',
    ]);
    expect(summaryOf([more, less, other])).toBe('3 cells, 1 unexpected allows');
  });

  test('lets an owner do everything, and a viewer only read and choose their own emails', () => {
    const allowedOf = (caller: Caller) =>
      CELLS.filter(
        (cell) => cell.caller === caller && cell.target === 'own' && expectedOf(cell).status < 400,
      );
    expect(allowedOf('owner')).toHaveLength(ROUTE_NAMES.length);
    const writes = allowedOf('viewer').filter(({ route }) => Array.isArray(consoleRouteOf(route).roles));
    expect(writes.filter(({ route }) => consoleRouteOf(route).method !== 'GET')).toMatchObject([
      { route: 'change-alerts' },
    ]);
    expect(ROLES.map((role) => allowedOf(role).length)).toEqual(
      ROLES.map((role) => allowedOf(role).length).toSorted((a, b) => b - a),
    );
  });
});

afterAll(() => {
  process.stderr.write(`\nConsole: ${summaryOf(judged)}\n`);
});
