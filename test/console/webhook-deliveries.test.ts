import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { database } from '../../shared/core/database.ts';
import { currentPart, secret } from '../../shared/core/secrets.ts';
import { deliveryTable } from '../../shared/webhooks/delivery-table.ts';
import { type Endpoint, newEndpoint } from '../../shared/webhooks/endpoint.ts';
import { endpointTable } from '../../shared/webhooks/endpoint-table.ts';
import { endpointSecret, masterIdOf, signatureOf } from '../../shared/webhooks/signature.ts';
import { control, organisation as createOrganisation, type TestOrganisation } from '../support/service.ts';
import { until } from '../support/until.ts';

/**
 * Webhooks through the functions, the queue and the event bus of the local service, with the permissions of their
 * roles.
 */

interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly atMs: number;
}

const received: Received[] = [];
/** The statuses of the next responses, by path. 200 if there is none. */
const statuses = new Map<string, number[]>();
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const path = request.url ?? '';
  received.push({ path, headers: request.headers, body, atMs: Date.now() });
  response.writeHead(statuses.get(path)?.shift() ?? 200).end('no account 12345678901');
});
await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
afterAll(() => {
  receiver.close();
});
const { port } = receiver.address() as AddressInfo;

const client = database();
const table = process.env['CONSOLE_TABLE'] ?? '';
const endpoints = endpointTable(client, table);
const deliveries = deliveryTable(client, table);

let organisation: TestOrganisation;
let other: TestOrganisation;
beforeAll(async () => {
  organisation = await createOrganisation({ credits: 200 });
  other = await createOrganisation({ credits: 200 });
});

async function addEndpoint(organisationId: string, path: string): Promise<Endpoint> {
  const choice = { url: `http://127.0.0.1:${port}${path}`, eventTypes: ['balance.low'] as const };
  const master = masterIdOf(currentPart('WEBHOOKS', await secret('WEBHOOKS')));
  const wallet = { env: 'live', organisationId } as const;
  const row = newEndpoint(wallet, choice, master, Date.now());
  expect(await endpoints.insertEndpoint(row, await endpoints.getCount(wallet))).toBe(true);
  return row;
}

const at = (path: string) => received.filter((one) => one.path === path);

/** Returns the only delivery to an endpoint. */
async function deliveryTo(row: Endpoint) {
  const range = { first: '0', last: 'Z' };
  const page = await deliveries.listDeliveries(row, row.id, range, { limit: 10, newest: true });
  expect(page.deliveries.length).toBeLessThanOrEqual(1);
  return page.deliveries[0];
}

async function publishLowBalance(): Promise<void> {
  await organisation.change((row) => ({ ...row, lowBalanceCredits: 500 }));
  await control.runSchedule('publish-events');
}

test('an event is signed and delivered once to each endpoint of its organisation, and a failed attempt is retried after 5 s', async () => {
  const good = await addEndpoint(organisation.id, '/good');
  const failing = await addEndpoint(organisation.id, '/failing');
  const gone = await addEndpoint(organisation.id, '/gone');
  await addEndpoint(other.id, '/other');
  statuses.set('/failing', [500]);
  statuses.set('/gone', [410]);
  await publishLowBalance();
  await until(async () => (await deliveryTo(failing))?.state === 'DELIVERED');
  await until(async () => (await deliveryTo(good))?.state === 'DELIVERED');
  await until(async () => (await deliveryTo(gone))?.state === 'FAILED');

  const [first, second, ...more] = at('/failing');
  expect(more).toEqual([]);
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(3_500);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
  const { id } = (await deliveryTo(failing)) ?? { id: '' };
  expect(await deliveries.listAttempts(failing, failing.id, id, 20)).toMatchObject([
    { number: 2, status: 200 },
    { number: 1, status: 500, reason: 'HTTP_STATUS', text: 'no account ***********' },
  ]);
  expect(at('/good')).toHaveLength(1);
  expect(at('/gone')).toHaveLength(1);
  expect(at('/other')).toEqual([]);
  expect((await endpoints.getEndpoint(gone, gone.id))?.state).toBe('DISABLED');

  const masters = await secret('WEBHOOKS');
  for (const { headers, body } of at('/good')) {
    const timestamp = Number(headers['webhook-timestamp']);
    const message = { id: String(headers['webhook-id']), timestamp, body };
    expect(headers['webhook-signature']).toBe(
      signatureOf(message, endpointSecret(good, good.secret, masters)),
    );
    expect(JSON.parse(body)).toMatchObject({ type: 'balance.low' });
  }
  const queues = await control.queues();
  expect(queues.find(({ name }) => name === 'identity-local-failed-webhooks')).toMatchObject({
    visible: 0,
  });
});
