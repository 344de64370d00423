import { beforeAll, describe, expect, test } from '@jest/globals';
import { organisationKey, personLimiterKey } from '../../shared/core/keys.ts';
import { CONSOLE_ROUTES, type ConsoleRouteName, consoleRouteOf } from '../../shared/http/console/routes.ts';
import { type ConsoleClient, type ConsoleResponse, signIn } from '../support/console.ts';
import {
  consoleOrganisation,
  join,
  type PersonView,
  putRow,
  setAttributes,
  snapshot,
} from '../support/console-organisation.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { REQUESTS, type Scene, STATUS_BEFORE } from './matrix-requests.ts';

/**
 * Invalid bodies on every write of the console: each gets a documented code and the name of the field, and changes
 * nothing.
 */

const WRITES = (Object.keys(CONSOLE_ROUTES) as ConsoleRouteName[]).filter(
  (name) => consoleRouteOf(name).method !== 'GET',
);

interface Hostile {
  readonly what: string;
  readonly body: unknown;
  readonly contentType?: string;
  readonly status: number;
  readonly code: string;
  readonly field?: string;
}

/** `npm test` sends this many of the bodies to each route, at random. */
const SAMPLE = 8;

/** An absent part stays as it is. */
const PARTIAL: readonly ConsoleRouteName[] = ['update-key'];

/** Returns what an attacker or a faulty page sends instead of a valid body. */
function hostileBodies(valid: Readonly<Record<string, unknown>>, isPartial: boolean): Hostile[] {
  const invalid = { status: 400, code: 'INVALID_SCHEMA' } as const;
  const text = JSON.stringify(valid);
  const withFirst = (first: string) => `{${first}${text.length > 2 ? ',' : ''}${text.slice(1)}`;
  const fields = Object.keys(valid);
  return [
    ...fields.flatMap((field) => [
      { what: `${field} of the wrong type`, body: { ...valid, [field]: [{}] }, field, ...invalid },
      ...(isPartial
        ? []
        : [{ what: `no ${field}`, body: { ...valid, [field]: undefined }, field, ...invalid }]),
      { what: `${field} twice`, body: withFirst(`"${field}":1`), field, ...invalid },
    ]),
    { what: 'an unknown field', body: { ...valid, status: 'APPROVED' }, field: 'status', ...invalid },
    { what: 'a polluted prototype', body: withFirst('"__proto__":{"status":"APPROVED"}'), ...invalid },
    ...['', '[]', 'null', '"text"', '{', `${'['.repeat(2_000)}${']'.repeat(2_000)}`].map((body) => ({
      ...{ what: `the body ${body.slice(0, 10)}`, body },
      ...invalid,
    })),
    { what: '4,097 bytes', body: text.padEnd(4_097), status: 413, code: 'PAYLOAD_TOO_LARGE' },
    {
      what: 'the content type of a form',
      body: text,
      contentType: 'text/plain',
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
    },
  ];
}

function problemOf(hostile: Hostile, { status, json, text }: ConsoleResponse): string | undefined {
  const field = json?.error?.field ?? '';
  const isField =
    hostile.field === undefined || field === hostile.field || field.startsWith(`${hostile.field}.`);
  if (status === hostile.status && json?.code === hostile.code && isField && !/\n\s+at /.test(text))
    return undefined;
  return `${hostile.what}: ${status} ${json?.code} ${field}`;
}

let client: ConsoleClient;
let person: PersonView;
let scene: Scene;
beforeAll(async () => {
  const email = 'hostile.bodies@example.com';
  const [own, foreign, inviting] = [
    await consoleOrganisation('Hostile'),
    await consoleOrganisation('Foreign'),
    await consoleOrganisation('Inviting'),
  ];
  client = await signIn(email);
  person = await join(client, own, 'owner');
  scene = { caller: 'owner', email, own, foreign, inviting };
});

describe.each(WRITES)('%s', (route) => {
  test('rejects a body that is not as documented, names the field, and changes nothing', async () => {
    const { method, path } = consoleRouteOf(route);
    const { parameter = '', body } = await REQUESTS[route](scene, 'own');
    const { id, status } = scene.own;
    const before = { status: STATUS_BEFORE[route] ?? status };
    await setAttributes('API_KEYS_TABLE', organisationKey(id), before);
    const rows = await snapshot(id, person.id);
    const problems: (string | undefined)[] = [];
    const all = hostileBodies(body as Readonly<Record<string, unknown>>, PARTIAL.includes(route));
    for (const hostile of isComplete ? all : randomCases(all, SAMPLE)) {
      await putRow('CONSOLE_TABLE', personLimiterKey(person.id), {});
      const response = await client.send(method, path.replace(/\{\w+\}/, parameter), {
        body: hostile.body,
        ...(hostile.contentType && { headers: { 'Content-Type': hostile.contentType } }),
      });
      problems.push(problemOf(hostile, response));
    }

    expect(problems.filter(Boolean)).toEqual([]);
    expect(await snapshot(id, person.id)).toEqual(rows);
  });
});
