import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import { registryDayKey, registryStateKey } from '../../shared/core/keys.ts';
import { publicRead } from '../../shared/http/console/chain.ts';
import {
  type StatusDependencies,
  showStatus,
  showStatusFeed,
} from '../../shared/registries/console/status.ts';
import type { StatusView } from '../../shared/registries/console/views.ts';
import { providerHistoryTable } from '../../shared/registries/health/provider-history-table.ts';
import { registryDayTable } from '../../shared/usage/registry-day-table.ts';
import { type MemoryConsole, memoryConsole, ORIGIN } from '../support/console/memory-console.ts';
import { mustRun } from '../support/programs.ts';

/** The public routes of the status page, in this process. */

const PROVIDER = { provider: 'prembly', env: 'live', idType: 'NIN' } as const;
const FOR_BVN = { ...PROVIDER, idType: 'BVN' } as const;

let service: MemoryConsole;
let status: ReturnType<typeof showStatus>;
let feed: ReturnType<typeof showStatusFeed>;
beforeEach(async () => {
  process.env['CONSOLE_URL'] = ORIGIN;
  for (const stream of [process.stdout, process.stderr]) jest.spyOn(stream, 'write').mockReturnValue(true);
  service = memoryConsole();
  const { client, clock } = service;
  const history = providerHistoryTable(client, 'ApiKeys');
  const deps: StatusDependencies = {
    history,
    days: registryDayTable(client, 'Console'),
    routing: { NIN: ['prembly'], BVN: ['prembly', 'dojah'] },
    nowMs: () => clock.nowMs,
  };
  // The provider has been down for an hour, and was disabled by a person whose name is in the row.
  for (const key of [PROVIDER, FOR_BVN]) {
    await history.addChange(key, {
      became: 'open',
      atMs: clock.nowMs - HOUR_MS,
      was: 'closed',
      wasSinceMs: clock.nowMs - 25 * HOUR_MS,
    });
    service.put('ApiKeys', {
      ...registryStateKey(key),
      breaker: 'open',
      sinceMs: clock.nowMs - HOUR_MS,
      disabled: { actor: 'ada', reason: 'wrong <records>', atMs: clock.nowMs - MINUTE_MS },
    });
  }
  const day = new Date(clock.nowMs).toISOString().slice(0, 10);
  service.put('Console', {
    ...registryDayKey('NIN', day),
    day,
    requests: 40,
    failures: 0,
    latency: { 20: 40 },
    countedAt: `${day}T09:00:00.000Z`,
  });
  status = showStatus(deps);
  feed = showStatusFeed(deps);
  service.calls.length = 0;
});

const nowMs = () => service.clock.nowMs;
const readStatus = (sent = {}, browser?: { cookie: string }) =>
  service.send(publicRead('show-status', status, nowMs), 'show-status', browser, sent);
const readFeed = async (sent = {}) => {
  const event = service.event('show-status-feed', sent);
  return publicRead('show-status-feed', feed, nowMs)(event, {} as never);
};
const dataOf = (json: unknown) => (json as { data: StatusView }).data;

describe('GET /status', () => {
  test('has the state, the days and the incidents of each registry, and may be cached for a minute', async () => {
    const { status: code, json, headers, cookies } = await readStatus();

    expect([code, cookies]).toEqual([200, []]);
    expect(headers).toMatchObject({ 'Cache-Control': 'public, max-age=60', ETag: expect.any(String) });
    const data = dataOf(json);
    expect(data.registries.map(({ id_type, status: state }) => [id_type, state])).toEqual([
      ['NIN', 'off'],
      ['BVN', 'up'],
      ['CAC', 'off'],
      ['TIN', 'off'],
      ['NUBAN', 'off'],
    ]);
    expect(data.registries[0]?.days.at(-1)).toMatchObject({ p95_ms: 20 });
    expect(data.incidents.map(({ id_type, status: state, ended_at }) => [id_type, state, ended_at])).toEqual([
      ['NIN', 'down', null],
      ['BVN', 'degraded', '2026-11-23T08:59:00.000Z'],
    ]);
  });

  test('is not sent again to clients that have it', async () => {
    const { headers } = await readStatus();
    const again = await publicRead(
      'show-status',
      status,
      nowMs,
    )(service.event('show-status', { headers: { 'If-None-Match': String(headers['ETag']) } }), {} as never);
    expect(again).toMatchObject({ statusCode: 304, body: '' });
    expect(again.headers?.['ETag']).toBe(headers['ETag']);
  });

  test('is read once a minute by each instance, and its last version is shown while the tables do not respond', async () => {
    const first = await readStatus();
    const reads = service.calls.length;
    service.clock.nowMs += MINUTE_MS - 1;
    await Promise.all([readStatus(), readStatus()]);
    expect(service.calls).toHaveLength(reads);

    service.clock.nowMs += 1;
    service.hooks.onCall = async () => {
      throw new Error('The table does not respond.');
    };
    const stale = await readStatus();
    expect([stale.status, dataOf(stale.json)]).toEqual([200, dataOf(first.json)]);
    service.hooks.onCall = async () => undefined;
    service.clock.nowMs += MINUTE_MS;
    expect(dataOf((await readStatus()).json).updated_at).toBe(new Date(nowMs()).toISOString());
  });

  test('fails with JSON that is not cached', async () => {
    service.hooks.onCall = async () => {
      throw new Error('The table does not respond.');
    };
    const failed = await readStatus();
    expect([failed.status, failed.code, failed.headers['Cache-Control']]).toEqual([
      500,
      'SERVER_ERROR',
      'no-store',
    ]);
  });
});

test('S82: a visitor to the public status page who looks for providers, operators or customers, or sends a cookie', async () => {
  const organisation = service.newOrganisation();
  const person = service.newPerson();
  service.newMember(person, organisation, 'owner');
  const browser = service.newSession(person, organisation);
  service.calls.length = 0;
  const [visitor, member, atom] = [await readStatus(), await readStatus({}, browser), await readFeed()];

  // The response is the same for all visitors, so a shared cache cannot leak anything.
  expect(dataOf(member.json)).toEqual(dataOf(visitor.json));
  expect([...visitor.cookies, ...member.cookies]).toEqual([]);
  expect(service.calls.every(({ input }) => 'KeyConditionExpression' in input)).toBe(true);
  for (const text of [JSON.stringify(visitor.json), atom.body])
    expect(text).not.toMatch(/prembly|dojah|ada|wrong|provider|requests"|PERSON|ORG#/i);
  // Parameters would make caches keep many copies.
  const odd = await readStatus({ query: { x: '1' } });
  expect([odd.status, odd.code, odd.headers['Cache-Control']]).toEqual([400, 'INVALID_SCHEMA', 'no-store']);
});

describe('GET /status/feed', () => {
  /** A program that reads the feed with Python's XML parser, which rejects XML that is not well-formed. */
  const PARSE = `
import json, sys, xml.etree.ElementTree as tree
atom = '{http://www.w3.org/2005/Atom}'
feed = tree.fromstring(sys.argv[1].encode())
assert feed.tag == atom + 'feed', feed.tag
text = lambda node, name: node.findtext(atom + name)
links = lambda node: {link.get('rel'): link.get('href') for link in node.iterfind(atom + 'link')}
fields = ['id', 'title', 'updated', 'published', 'summary']
entry = lambda node: {**{name: text(node, name) for name in fields}, 'links': links(node)}
print(json.dumps({'author': text(feed.find(atom + 'author'), 'name'),
  **{name: text(feed, name) for name in ['id', 'title', 'updated']},
  'links': links(feed), 'entries': [entry(node) for node in feed.iterfind(atom + 'entry')]}))
`;
  const parsed = async (xml: string) => JSON.parse(await mustRun('python3', ['-c', PARSE, xml]));

  test('is a valid Atom feed, whose entries keep their IDs', async () => {
    const response = await readFeed();
    const first = await parsed(response.body);
    service.clock.nowMs += 2 * MINUTE_MS;
    const second = await parsed((await readFeed()).body);

    expect(response.headers).toMatchObject({
      'Content-Type': 'application/atom+xml; charset=utf-8',
      'Cache-Control': 'public, max-age=60',
    });
    const page = `${ORIGIN}/status`;
    const own = `${ORIGIN}/console/api/status/feed`;
    expect(first).toMatchObject({
      id: own,
      title: 'Status of the registries',
      author: 'Identity verification',
      updated: '2026-11-23T08:59:00.000Z',
      links: { self: own, alternate: page },
    });
    expect(first.entries[1]).toEqual({
      id: `${page}#bvn-degraded-20261123T080000000Z`,
      title: 'BVN look-ups were degraded',
      published: '2026-11-23T08:00:00.000Z',
      updated: '2026-11-23T08:59:00.000Z',
      summary:
        'BVN look-ups were degraded. From 2026-11-23 08:00 UTC to 2026-11-23 08:59 UTC (59 min). Some look-ups failed or were slow. Look-ups that fail cost nothing.',
      links: { alternate: `${page}#bvn-degraded-20261123T080000000Z` },
    });
    expect(first.entries[0]).toMatchObject({ title: 'NIN look-ups are unavailable' });
    expect(second).toEqual(first);
  });

  test('escapes the address of the console', async () => {
    process.env['CONSOLE_URL'] = 'https://console.example.com/?a=1&b="<x>';
    const { body } = await readFeed();
    expect((await parsed(body)).links.alternate).toBe('https://console.example.com/?a=1&b="<x>/status');
  });
});
