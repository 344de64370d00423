import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Resolve } from '../../shared/core/public-address.ts';
import { checkAddress } from '../../shared/webhooks/address.ts';
import { deliver } from '../../shared/webhooks/deliver.ts';
import type { DeliveryMessage } from '../../shared/webhooks/delivery.ts';
import { webhookPoster } from '../../shared/webhooks/post-webhook.ts';
import { resendDelivery, sendTest } from '../../shared/webhooks/resend-deliveries.ts';
import { signatureOf } from '../../shared/webhooks/signature.ts';
import { startDeliveries } from '../../shared/webhooks/start-deliveries.ts';
import { CHOICE, LIVE, memoryWebhooks, TEST } from '../support/webhooks/memory-webhooks.ts';

/** Attacks on webhooks: endpoint addresses that lead to internal systems, access by other tenants, and false events. */

/** An internal server on this machine. It counts the connections to it. */
let server: Server;
let port = 0;
let connections = 0;
beforeAll(async () => {
  server = createServer((_, response) => response.end());
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  ({ port } = server.address() as { port: number });
});
afterAll(() => void server.close());
beforeEach(() => {
  connections = 0;
});

/** Returns a name server that returns these addresses in turn, and then repeats the last one. */
function nameServer(...answers: string[]) {
  const asked: string[] = [];
  const resolve: Resolve = (name, _, done) => {
    asked.push(name);
    const address = answers[Math.min(asked.length, answers.length) - 1] ?? '';
    done(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
  return { asked, rules: { allowLocal: false, resolve } };
}
const post = (rules: Parameters<typeof webhookPoster>[0], url: string) =>
  webhookPoster(rules)({ url, headers: {}, body: '{}', timeoutMs: 1_000 });
const rejected = { kind: 'failed', reason: 'ADDRESS_NOT_PERMITTED' };

describe('an endpoint address', () => {
  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    'fd00:ec2::254',
    'fe80::1',
    '::ffff:169.254.169.254',
  ])('S90: an endpoint address that leads to an internal system: %s', async (address) => {
    const { rules } = nameServer(address);
    const url = `https://hooks.example.com:${port}/`;
    expect(await checkAddress(url, rules)).toMatch('resolves to an address that is not public');
    // The endpoint may have been saved before its name resolved to this address.
    expect(await post(rules, url)).toEqual(rejected);
    expect(connections).toBe(0);
  });

  test('S91: an endpoint address that leads to an internal system only when it is resolved again', async () => {
    const { asked, rules } = nameServer('8.8.8.8', '127.0.0.1');
    const url = `https://hooks.example.com:${port}/`;
    expect(await checkAddress(url, rules)).toBeInstanceOf(URL);
    expect(await post(rules, url)).toEqual(rejected);
    expect(asked).toHaveLength(2);

    // Each connection resolves the name once, because a second resolution could return an unchecked address.
    const between = nameServer('192.0.2.1', '127.0.0.1');
    expect((await post(between.rules, url)).kind).toBe('failed');
    expect(between.asked).toHaveLength(1);
    expect(connections).toBe(0);
  });

  test('S92: an endpoint that redirects to an internal system', async () => {
    const redirecting = createServer((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end(),
    );
    await new Promise<void>((done) => redirecting.listen(0, '127.0.0.1', done));
    const { port: from } = redirecting.address() as { port: number };
    const result = await post({ allowLocal: true }, `http://127.0.0.1:${from}/`);
    redirecting.close();
    expect(result).toEqual({ kind: 'failed', reason: 'REDIRECT', status: 307 });
    expect(connections).toBe(0);
  });
});

const event = {
  id: 'e1',
  type: 'balance.low',
  at: '2026-11-25T09:00:00.000Z',
  ...LIVE,
  data: { available: 1, low_below: 2 },
} as const;

test('S93: an endpoint or delivery of another organisation or environment', async () => {
  const hooks = memoryWebhooks();
  const { endpoint } = await hooks.add();
  await startDeliveries(event, hooks.start);
  const message = hooks.world.messages[0] as DeliveryMessage;
  const deps = { ...hooks.start, ...hooks.manage };
  for (const owner of [TEST, { ...LIVE, organisationId: 'ORG0000002' }]) {
    const notFound = expect.objectContaining({ code: 'RESOURCE_NOT_FOUND' });
    await expect(sendTest(owner, endpoint.id, deps)).rejects.toEqual(notFound);
    await expect(resendDelivery(owner, endpoint.id, message.deliveryId, deps)).rejects.toEqual(notFound);
    // A message that names the delivery of another owner finds no row.
    expect(await deliver({ ...message, ...owner }, hooks.deliver)).toEqual({ kind: 'done' });
  }
  await hooks.add({ ...LIVE, organisationId: 'ORG0000002' });
  await hooks.add(TEST);
  await deliver(message, hooks.deliver);
  expect(hooks.world.posts).toHaveLength(1);
  expect(hooks.world.messages).toHaveLength(1);
});

test('S94: an event that is forged, or sent again to another endpoint or at another time', async () => {
  const hooks = memoryWebhooks();
  const { endpoint, secret } = await hooks.add();
  const other = await hooks.add(LIVE, { ...CHOICE, url: 'https://second.example.com/' });
  await startDeliveries(event, hooks.start);
  for (const message of hooks.world.messages) await deliver(message, hooks.deliver);
  const sent = hooks.world.posts.find(({ url }) => url === endpoint.url);
  const { body = '', headers = {} } = sent ?? {};
  const [id = '', timestamp, given] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`],
  );
  const message = { id, timestamp: Number(timestamp), body };
  expect(signatureOf(message, secret)).toBe(given);
  // The receiver rejects these: the signature covers the ID, the time and the body, and each endpoint has its own
  // secret.
  for (const forged of [
    signatureOf({ ...message, timestamp: message.timestamp + 301 }, secret),
    signatureOf({ ...message, id: 'e2' }, secret),
    signatureOf({ ...message, body: body.replace('1', '9') }, secret),
    signatureOf(message, other.secret),
  ])
    expect(forged).not.toBe(given);
});
