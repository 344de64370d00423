import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { verifyWebhook } from '../../clients/typescript/src/index.ts';
import type { Organisation } from '../../shared/accounts/organisation.ts';
import { lagosDay } from '../../shared/core/accounting-month.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import { auditPk, deliveriesPk, endpointsPk, personLimiterKey } from '../../shared/core/keys.ts';
import type {
  DeliveriesView,
  DeliveryView,
  ReplayView,
  WebhookSecretView,
  WebhooksView,
  WebhookView,
} from '../../shared/webhooks/console/views.ts';
import { type ConsoleClient, type ConsoleResponse, signIn } from '../support/console.ts';
import {
  consoleOrganisation,
  join,
  type PersonView,
  putRow,
  rowsOf,
} from '../support/console-organisation.ts';
import { CLOSED_ADDRESS, putEndpoint, putFailedDelivery } from '../support/console-webhooks.ts';

/** Webhooks of an organisation through the routes of the console. Deliveries go to a server of this test. */

const WAIT_MS = 120_000;

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
/** Each test has a path of its own, because deliveries to the endpoints of earlier tests may still be attempted. */
let tests = 0;
let received: Received[] = [];
let status = 200;
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (request.url === `/hooks/${tests}`)
    received.push({ headers: request.headers as Record<string, string>, body });
  response.writeHead(status).end();
});

let organisation: Organisation;
let client: ConsoleClient;
let person: PersonView;
let origin: string;
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  organisation = await consoleOrganisation('Webhooks');
  client = await signIn('webhooks@example.com');
  person = await join(client, organisation, 'owner');
});
afterAll(() => {
  receiver.close();
});
beforeEach(async () => {
  status = 200;
  received = [];
  tests += 1;
  url = `${origin}/hooks/${tests}`;
  await putRow('CONSOLE_TABLE', personLimiterKey(person.id), {});
});

async function send<T>(method: string, path: string, body?: object): Promise<ConsoleResponse<T>> {
  return client.send<T>(method, path, body ? { body } : {});
}

async function required<T>(response: Promise<ConsoleResponse<T>>): Promise<T> {
  const { status: code, json, text } = await response;
  if (code !== 200 || !json?.data) throw new Error(`${code} ${text}`);
  return json.data;
}

const add = (event_types = ['top_up.credited']) =>
  required(send<WebhookSecretView>('POST', '/webhooks', { env: 'test', url, event_types }));
const list = () => required(send<WebhooksView>('GET', '/webhooks?env=test'));
const deliveriesOf = (id: string, query = '') =>
  required(send<DeliveriesView>('GET', `/webhooks/${id}/deliveries?env=test${query}`));

async function until(id: string, state: DeliveryView['state']): Promise<DeliveryView> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(200)) {
    const { deliveries } = await deliveriesOf(id);
    const found = deliveries.find((one) => one.state === state);
    if (found) return found;
    await putRow('CONSOLE_TABLE', personLimiterKey(person.id), {});
  }
  throw new Error(`No delivery is ${state}.`);
}

test('a test is signed with the secret that was shown once, and a failed test shows its reason', async () => {
  const { endpoint, secret } = await add();
  const sent = await required(send<DeliveryView>('POST', `/webhooks/${endpoint.id}/test`, { env: 'test' }));
  expect(sent).toMatchObject({ event_type: 'test', state: 'PENDING', attempts: 0 });
  const delivered = await until(endpoint.id, 'DELIVERED');
  expect(delivered).toMatchObject({ id: sent.id, attempts: 1, next_at: null });
  expect(delivered?.reason_text).toBe('Your server responded 200.');
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  expect(received).toHaveLength(1);
  expect(body).toBe(delivered.body);
  await expect(verifyWebhook(body, headers, secret)).resolves.toMatchObject({ type: 'test' });

  status = 500;
  await required(send('POST', `/webhooks/${endpoint.id}/test`, { env: 'test' }));
  const failed = await until(endpoint.id, 'FAILED');
  expect(failed).toMatchObject({ reason_text: 'Your server responded 500.', next_at: null });
});

test('a secret is in one response only and is never stored, and the old one is valid for 24 hours after a rotation', async () => {
  const { endpoint, secret } = await add();
  const rotation = await send<WebhookSecretView>('POST', `/webhooks/${endpoint.id}/rotate`, {
    env: 'test',
  });
  expect(rotation.headers.get('Cache-Control')).toBe('no-store');
  const rotated = rotation.json?.data;
  expect(rotated?.secret).toMatch(/^whsec_/);
  expect(rotated?.secret).not.toBe(secret);
  const untilMs = Date.parse(rotated?.endpoint.old_secret_until ?? '');
  expect(Math.abs(untilMs - Date.now() - DAY_MS)).toBeLessThan(60_000);

  await required(send('POST', `/webhooks/${endpoint.id}/test`, { env: 'test' }));
  await until(endpoint.id, 'DELIVERED');
  const [{ headers, body } = { headers: {}, body: '' }] = received;
  for (const one of [secret, rotated?.secret ?? ''])
    await expect(verifyWebhook(body, headers, one)).resolves.toMatchObject({ type: 'test' });

  const rows = await Promise.all([
    rowsOf('CONSOLE_TABLE', endpointsPk({ env: 'test', organisationId: organisation.id })),
    rowsOf('AUDIT_TRAIL_TABLE', auditPk(organisation.id)),
    rowsOf('CONSOLE_TABLE', deliveriesPk({ env: 'test', organisationId: organisation.id }, endpoint.id)),
  ]);
  const stored = JSON.stringify([rows, await list()]);
  for (const one of [secret, rotated?.secret ?? '']) expect(stored).not.toContain(one.slice(6));
});

describe('an endpoint', () => {
  const change = (row: WebhookView, changes: object) =>
    send<WebhookView>('PUT', `/webhooks/${row.id}`, {
      env: 'test',
      ...{ url: row.url, event_types: row.event_types, is_enabled: row.state === 'ENABLED' },
      ...changes,
    });

  test('is changed and disabled in one recorded change, cannot be tested while disabled, and is enabled again', async () => {
    const endpoint = await putEndpoint(organisation);
    const row = (await list()).endpoints.find(({ id }) => id === endpoint.id);
    if (!row) throw new Error('The endpoint is not listed.');
    const before = (await rowsOf('AUDIT_TRAIL_TABLE', auditPk(organisation.id))).length;
    const changed = await required(change(row, { event_types: ['key.expiring'], is_enabled: false }));
    expect(changed).toMatchObject({
      event_types: ['key.expiring'],
      state: 'DISABLED',
      disabled_because: 'MEMBER',
    });
    const trail = await rowsOf('AUDIT_TRAIL_TABLE', auditPk(organisation.id));
    expect(trail).toHaveLength(before + 1);
    expect(await send('POST', `/webhooks/${row.id}/test`, { env: 'test' })).toMatchObject({
      status: 409,
      json: { code: 'ENDPOINT_NOT_ENABLED' },
    });
    const enabled = await required(change(changed, { is_enabled: true }));
    expect(enabled).toMatchObject({ state: 'ENABLED', disabled_because: null });
  });

  test('can be disabled even if its address no longer exists', async () => {
    const endpoint = await putEndpoint(organisation, 'test', { url: 'https://gone.invalid/hooks' });
    const row = (await list()).endpoints.find(({ id }) => id === endpoint.id);
    if (!row) throw new Error('The endpoint is not listed.');
    expect((await change(row, { is_enabled: false })).status).toBe(200);
    expect(await change(row, { url: 'https://other.invalid/' })).toMatchObject({
      status: 400,
      json: { error: { field: 'url' } },
    });
  });

  test('is not listed after it is deleted, and its deliveries are shown for as long as they are stored', async () => {
    const endpoint = await putEndpoint(organisation);
    const { id } = await putFailedDelivery(endpoint);
    await required(send('POST', `/webhooks/${endpoint.id}/delete`, { env: 'test' }));
    expect((await list()).endpoints.map((row) => row.id)).not.toContain(endpoint.id);
    expect((await deliveriesOf(endpoint.id)).deliveries.map((row) => row.id)).toEqual([id]);
    expect(await send('POST', `/webhooks/${endpoint.id}/rotate`, { env: 'test' })).toMatchObject({
      status: 404,
    });
  });

  test('of the other environment is not found', async () => {
    const endpoint = await putEndpoint(organisation, 'live');
    const answers = await Promise.all([
      send('POST', `/webhooks/${endpoint.id}/test`, { env: 'test' }),
      send('GET', `/webhooks/${endpoint.id}/deliveries?env=test`),
    ]);
    expect(answers.map(({ status: code }) => code)).toEqual([404, 404]);
  });

  test.each([
    ['http://example.com/hooks', 'https://'],
    ['https://10.0.0.1/hooks', 'IP address'],
    ['https://user:secret@example.com/', 'user name'],
    ['example', 'complete address'],
  ])('is not added at the address %s, and the response says why', async (wrong, why) => {
    const response = await send('POST', '/webhooks', {
      env: 'test',
      url: wrong,
      event_types: ['balance.low'],
    });
    expect(response).toMatchObject({
      status: 400,
      json: { code: 'INVALID_SCHEMA', error: { field: 'url' } },
    });
    expect(response.json?.error?.hint).toContain(why);
    expect(response.text).not.toContain('secret@');
  });
});

test('an organisation has at most five endpoints in an environment', async () => {
  const full = await consoleOrganisation('Five endpoints');
  const owner = await signIn('five.endpoints@example.com');
  await join(owner, full, 'owner');
  const body = { env: 'live', url: CLOSED_ADDRESS, event_types: ['balance.low'] };
  for (let count = 0; count < 5; count += 1)
    expect((await owner.send('POST', '/webhooks', { body })).status).toBe(200);
  expect(await owner.send('POST', '/webhooks', { body })).toMatchObject({
    status: 409,
    json: { code: 'ENDPOINT_LIMIT_REACHED' },
  });
  const rows = await owner.send<WebhooksView>('GET', '/webhooks?env=live');
  expect(rows.json?.data?.endpoints).toHaveLength(5);
});

describe('deliveries', () => {
  test('are read in pages, newest first, each once', async () => {
    const endpoint = await putEndpoint(organisation);
    const nowMs = Date.now();
    const ids: string[] = [];
    for (let count = 0; count < 25; count += 1)
      ids.unshift((await putFailedDelivery(endpoint, nowMs - (25 - count) * 1000)).id);
    const first = await deliveriesOf(endpoint.id);
    expect(first.deliveries).toHaveLength(20);
    const second = await deliveriesOf(endpoint.id, `&cursor=${first.next_cursor}`);
    expect(second.next_cursor).toBeNull();
    expect([...first.deliveries, ...second.deliveries].map(({ id }) => id)).toEqual(ids);
    expect((await list()).endpoints.find(({ id }) => id === endpoint.id)?.last_delivery?.id).toBe(ids[0]);
    expect((await send('GET', `/webhooks/${endpoint.id}/deliveries?cursor=x`)).status).toBe(400);
  });

  test('are resent with the same event, one by one or all that failed in a period', async () => {
    const endpoint = await putEndpoint(organisation, 'test', { url });
    const yesterdayMs = Date.now() - DAY_MS;
    const [old, one, other] = [
      await putFailedDelivery(endpoint, yesterdayMs - DAY_MS),
      await putFailedDelivery(endpoint, yesterdayMs),
      await putFailedDelivery(endpoint, yesterdayMs + 1000),
    ];
    const body = { env: 'test', endpoint_id: endpoint.id };
    const resent = await required(send<DeliveryView>('POST', `/deliveries/${one.id}/resend`, body));
    expect(resent).toMatchObject({ id: one.id, state: 'PENDING', attempts: 10 });
    await until(endpoint.id, 'DELIVERED');
    const day = lagosDay(yesterdayMs);
    const period = {
      env: 'test',
      from: day,
      to: lagosDay(yesterdayMs + 1000),
      which: 'failed',
      cursor: null,
    };
    const replay = () => required(send<ReplayView>('POST', `/webhooks/${endpoint.id}/replay`, period));
    expect(await replay()).toEqual({ resent: 1, next_cursor: null });
    for (const end = Date.now() + WAIT_MS; Date.now() < end && received.length < 2; ) await sleep(100);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([one.eventId, other.eventId]);
    const { deliveries } = await deliveriesOf(endpoint.id);
    expect(deliveries.find(({ id }) => id === old.id)).toMatchObject({ state: 'FAILED' });
    expect(
      await send('POST', `/webhooks/${endpoint.id}/replay`, { ...period, from: '2026-02-30' }),
    ).toMatchObject({
      status: 400,
      json: { error: { field: 'from' } },
    });
  });
});
