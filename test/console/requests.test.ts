import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { NewKeyView } from '../../shared/accounts/console/views.ts';
import type { Organisation } from '../../shared/accounts/organisation.ts';
import { dayPlus, lagosDay, lagosDayStartMs } from '../../shared/core/accounting-month.ts';
import { DAY_MS, HOUR_MS } from '../../shared/core/clock.ts';
import { personLimiterKey, usageKey, type WalletId } from '../../shared/core/keys.ts';
import type { UsageView } from '../../shared/usage/console/views.ts';
import { rollUpDependencies } from '../../shared/usage/roll-up-dependencies.ts';
import { rollUpUsage } from '../../shared/usage/roll-up-usage.ts';
import type {
  RequestDetailView,
  RequestsView,
  RequestView,
} from '../../shared/verifications/console/views.ts';
import { type ConsoleClient, service, signIn } from '../support/console.ts';
import { consoleOrganisation, join, putRow } from '../support/console-organisation.ts';
import { putChargedRequest, putRequests } from '../support/console-requests.ts';
import { logEntry, newRequestId } from '../support/log-rows.ts';

/** The requests of an organisation in the running console, with the permissions of its functions. */

let client: ConsoleClient;
let personId: string;
let organisation: Organisation;
let live: WalletId;
beforeAll(async () => {
  const createdAt = new Date(Date.now() - 90 * DAY_MS).toISOString();
  organisation = await consoleOrganisation('Requests of Abuja', { createdAt });
  live = { env: 'live', organisationId: organisation.id };
  client = await signIn('viewer.of.requests@example.com');
  ({ id: personId } = await join(client, organisation, 'owner'));
});
beforeEach(() => putRow('CONSOLE_TABLE', personLimiterKey(personId), {}));

type Query = Readonly<Record<string, string>>;

async function page(query: Query): Promise<RequestsView> {
  const response = await client.send<RequestsView>('GET', `/requests?${new URLSearchParams(query)}`);
  if (!response.json?.data) throw new Error(`${response.status} ${response.text}`);
  return response.json.data;
}

async function all(query: Query) {
  const requests: RequestView[] = [];
  let [pages, cursor] = [0, ''];
  for (;;) {
    const { requests: some, next_cursor } = await page({ ...query, ...(cursor && { cursor }) });
    pages += 1;
    requests.push(...some);
    if (next_cursor === null) return { requests, pages };
    cursor = next_cursor;
  }
}
const idsOf = (requests: readonly RequestView[]) => requests.map(({ request_id }) => request_id);

const show = (id: string, env = 'live') =>
  client.send<RequestDetailView>('GET', `/requests/${id}?env=${env}`);
async function detail(id: string, env = 'live'): Promise<RequestDetailView> {
  const response = await show(id, env);
  if (!response.json?.data) throw new Error(`${id}: ${response.status} ${response.text}`);
  return response.json.data;
}

describe('requests of a key', () => {
  let text: string;
  beforeAll(async () => {
    const body = { env: 'test', label: 'till', scopes: null, addresses: null, expires_in_days: null };
    await client.send('POST', '/test-credits', { body: {} });
    const created = await client.send<NewKeyView>('POST', '/keys', { body });
    text = created.json?.data?.text ?? '';
  });

  /** Looks up a sandbox number. Returns the request ID and the code. */
  async function verify(body: object, headers: Query = {}) {
    const response = await fetch(`${service.baseUrl}/v1/ng/nin-basic`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const { code } = (await response.json()) as { code: string };
    return { id: response.headers.get('X-Request-Id') ?? '', code };
  }

  test('are explained: what the code means, what was charged, whether a retry helps, and where the time went', async () => {
    const key = { 'Idempotency-Key': 'a-key-of-abuja' };
    const found = await verify({ nin: '12345670001', consent: 'form 12', reference: 'till-7' }, key);
    const replay = await verify({ nin: '12345670001', consent: 'form 12', reference: 'till-7' }, key);
    const missing = await verify({ nin: '12345670404' });
    const unreachable = await verify({ nin: '12345670503' });

    const first = await detail(found.id, 'test');
    expect(first).toMatchObject({
      ...{ kind: 'request', request_id: found.id, outcome: 'FOUND', code: 'NIN_VERIFIED' },
      ...{ credits_charged: 1, is_replay: false, provider: 'Sandbox', failed_providers: [] },
      ...{ key_label: 'till', reference: 'till-7', consent: 'form 12', reason: null },
      charge: 'Charged 1 credit, because the registry has a record for this number.',
      statement: { month: lagosDay(Date.now()).slice(0, 7), amount: -1 },
    });
    if (first.kind !== 'request' || !first.timings) throw new Error('The request has no timings.');
    const { checks_ms, ledger_ms, registry_ms } = first.timings;
    expect(checks_ms + ledger_ms + registry_ms).toBe(first.latency_ms);
    expect(Math.min(ledger_ms, registry_ms)).toBeGreaterThan(0);
    expect(await detail(replay.id, 'test')).toMatchObject({
      ...{ outcome: 'FOUND', credits_charged: 0, is_replay: true, replay_of: found.id, statement: null },
      charge: expect.stringContaining('Idempotency-Key'),
    });
    expect(await detail(missing.id, 'test')).toMatchObject({
      ...{ outcome: 'NOT_FOUND', code: 'NIN_NOT_FOUND', http_status: 400, statement: null },
      retry: { helps: 'no' },
    });
    expect(await detail(unreachable.id, 'test')).toMatchObject({
      ...{ outcome: 'UNREACHABLE', code: 'SERVICE_UNAVAILABLE', credits_charged: 0, statement: null },
      ...{ meaning: 'The registry could not be reached.', retry: { helps: 'later' } },
    });
    const { requests, ...days } = await page({ env: 'test', key: 'till' });
    const today = lagosDay(Date.now());
    expect(days).toMatchObject({ from: dayPlus(today, -6), to: today, first_day: dayPlus(today, -91) });
    expect(idsOf(requests)).toEqual([unreachable, missing, replay, found].map(({ id }) => id));
    expect(idsOf((await page({ env: 'test', reference: 'till-7' })).requests)).toEqual([replay.id, found.id]);
    expect(JSON.stringify([first, requests])).not.toContain('1234567');
  });

  test('that were rejected are counted by minute, with an example that can be opened', async () => {
    const rejected = await verify({});
    const { requests, rejected: minutes } = await page({ env: 'test', outcome: 'REJECTED', key: 'till' });

    expect([rejected.code, requests]).toEqual(['INVALID_SCHEMA', []]);
    expect(minutes).toMatchObject([
      { code: 'INVALID_SCHEMA', http_status: 400, key_label: 'till', request_id: rejected.id },
    ]);
    expect((await page({ env: 'test', outcome: 'REJECTED', key: 'other' })).rejected).toEqual([]);
    expect((await page({ outcome: 'REJECTED' })).rejected).toEqual([]);
    expect(await detail(rejected.id, 'test')).toMatchObject({
      ...{ kind: 'rejected', ...minutes[0], retry: { helps: 'no' } },
      charge: 'Not charged. The request was rejected before it reserved credits.',
    });
  });
});

test('an unknown ID, one of another organisation and one of the other environment get the same response', async () => {
  const foreign = await consoleOrganisation('Other requests');
  const ids = [
    newRequestId(),
    'req_',
    (await putChargedRequest({ env: 'live', organisationId: foreign.id })).requestId,
    (await putChargedRequest({ ...live, env: 'test' })).requestId,
  ];
  const responses = [];
  for (const id of ids) responses.push(await show(id));
  const bodies = responses.map(({ status, json }) => ({ status, ...json, meta: undefined }));

  expect(bodies[0]).toMatchObject({ status: 404, code: 'RESOURCE_NOT_FOUND' });
  for (const body of bodies) expect(body).toEqual(bodies[0]);
});

describe('a list', () => {
  const today = lagosDay(Date.now());
  const startMs = lagosDayStartMs(today);
  const at = (ms: number) => new Date(ms).toISOString();

  test('contains every request of the last seven days once, newest first, and older ones only if their day or reference is chosen', async () => {
    const label = 'pages';
    const recent = Array.from({ length: 130 }, (_, index) =>
      logEntry(live, { keyLabel: label, requestedAt: at(startMs - 1 - index * 3_900_000) }),
    );
    const old = logEntry(live, {
      ...{ keyLabel: label, reference: 'old-1', requestedAt: at(startMs - 60 * DAY_MS) },
    });
    await putRequests([...recent, old]);
    const oldest = at(startMs - 6 * DAY_MS);
    const listed = recent.filter(({ requestedAt }) => requestedAt >= oldest).map((row) => row.requestId);

    const { requests, pages } = await all({ key: label, limit: '25' });
    expect(idsOf(requests)).toEqual(listed);
    expect(pages).toBeGreaterThan(listed.length / 25);
    const first = await page({ key: label, limit: '25' });
    expect(first.read_to).toBe(lagosDay(Date.parse(first.requests.at(-1)?.requested_at ?? '')));
    const day = lagosDay(startMs - 60 * DAY_MS);
    const ofDay = await page({ key: label, from: day, to: day });
    expect([idsOf(ofDay.requests), ofDay.read_to]).toEqual([[old.requestId], day]);
    expect(idsOf((await page({ reference: 'old-1' })).requests)).toEqual([old.requestId]);
  });

  test('can be filtered by service, outcome and key, and by days in Africa/Lagos', async () => {
    const keyLabel = 'filters';
    const before = logEntry(live, { keyLabel, requestedAt: at(startMs - 1) });
    const first = logEntry(live, { keyLabel, requestedAt: at(startMs), service: 'bvn-basic' });
    const failed = logEntry(live, { keyLabel, requestedAt: at(startMs), outcome: 'FAILED' });
    await putRequests([before, first, failed]);
    const yesterday = lagosDay(startMs - 1);
    const found = async (query: Query) => idsOf((await page({ key: keyLabel, ...query })).requests).sort();
    const ids = (...rows: { readonly requestId: string }[]) => rows.map(({ requestId }) => requestId).sort();

    expect(await found({ from: today })).toEqual(ids(first, failed));
    expect(await found({ from: yesterday, to: yesterday })).toEqual(ids(before));
    expect(await found({ service: 'bvn-basic' })).toEqual(ids(first));
    expect(await found({ outcome: 'FAILED' })).toEqual(ids(failed));
    expect(await found({ outcome: 'FAILED', service: 'bvn-basic' })).toEqual([]);
    expect(await found({ env: 'test' })).toEqual([]);
  });

  test.each([
    ['a day that does not exist', { from: '2026-02-30' }, 'INVALID_SCHEMA'],
    ['an end before its beginning', { from: '2026-02-02', to: '2026-02-01' }, 'INVALID_SCHEMA'],
    ['an unknown outcome', { outcome: 'LOST' }, 'INVALID_SCHEMA'],
    ['a malformed cursor', { cursor: 'x' }, 'INVALID_SCHEMA'],
    ['a key label of 51 characters', { key: 'x'.repeat(51) }, 'INVALID_SCHEMA'],
  ])('with %s is rejected', async (_, query, code) => {
    const { status, json } = await client.send('GET', `/requests?${new URLSearchParams(query)}`);
    expect([status, json?.code]).toEqual([400, code]);
  });

  test('rejects the cursor of another list', async () => {
    await putRequests([logEntry(live, { keyLabel: 'cursor' }), logEntry(live, { keyLabel: 'cursor' })]);
    const { next_cursor } = await page({ key: 'cursor', limit: '1' });
    const query = new URLSearchParams({ key: 'other', limit: '1', cursor: next_cursor ?? '' });
    const { status, json } = await client.send('GET', `/requests?${query}`);

    expect(next_cursor).not.toBeNull();
    expect([status, json?.code]).toEqual([400, 'INVALID_SCHEMA']);
  });
});

test('the line of the statement is in the month of the charge, not of the request', async () => {
  const { requestId, operationId } = await putChargedRequest(live, {
    requestedAt: '2026-10-31T22:59:59.000Z',
    decidedAt: '2026-10-31T23:00:02.000Z',
    creditsCharged: 2,
  });

  expect(await detail(requestId)).toMatchObject({
    statement: { month: '2026-11', at: '2026-10-31T23:00:02.000Z', id: operationId, amount: -2 },
    // Log rows of earlier versions of the service lack these attributes.
    ...{ code: null, failed_providers: null, timings: null },
  });
});

test('a slip that was withdrawn is shown as such', async () => {
  const wallet = { env: 'test', organisationId: organisation.id } as const;
  const { requestId } = await putChargedRequest(wallet, { service: 'nin-slip' });
  expect(await detail(requestId, 'test')).toMatchObject({ is_slip_withdrawn: false });
  await client.send('POST', `/requests/${requestId}/withdraw`, { body: { env: 'test' } });
  expect(await detail(requestId, 'test')).toMatchObject({ is_slip_withdrawn: true });
});

test('S79: a row of usage with requests that were never sent', async () => {
  await client.send('POST', '/test-credits', { body: {} });
  const wallet: WalletId = { env: 'test', organisationId: organisation.id };
  const now = Date.now();
  const requestedAt = new Date(now).toISOString();
  await putRequests([logEntry(wallet, { requestedAt, keyLabel: 'counted', creditsCharged: 3 })]);
  const [day, service] = [lagosDay(now), 'nin-basic'];
  const counts = { requests: 900, credits: 900, replays: 0, outcomes: {}, latency: {} };
  const invented = {
    ...{ day, service, keyLabel: 'invented' },
    ...counts,
    // The run would not replace the row of a count that began later.
    countedAt: new Date(now - HOUR_MS).toISOString(),
  };
  await putRow('CONSOLE_TABLE', usageKey(wallet, day, service, 'invented'), invented);
  const usage = async () => {
    const path = `/usage?env=test&month=${day.slice(0, 7)}`;
    return (await client.send<UsageView>('GET', path)).json?.data?.by.key ?? [];
  };
  const names = async () => (await usage()).map(({ name }) => name);
  const errors: unknown[] = [];

  expect(await names()).toContain('invented');
  const order = { organisation: organisation.id };
  await rollUpUsage(rollUpDependencies(), (error) => errors.push(error), order);
  expect(errors).toEqual([]);
  expect(await names()).not.toContain('invented');
  const counted = (await usage()).find(({ name }) => name === 'counted');
  expect([counted?.requests, counted?.credits].map((days) => days?.at(-1))).toEqual([1, 3]);
});
