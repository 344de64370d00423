import { expect, test } from '@jest/globals';
import { handleMessages } from '../../../shared/webhooks/handle-messages.ts';
import { startDeliveries } from '../../../shared/webhooks/start-deliveries.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { LIVE, memoryWebhooks } from '../../support/webhooks/memory-webhooks.ts';

interface Sent {
  readonly body: string;
  readonly options: { readonly group?: string; readonly delaySeconds?: number };
}

/** One delivery that is due, and the queues that its messages reach. */
async function oneDelivery() {
  const hooks = memoryWebhooks();
  await hooks.add();
  const data = { organisation: LIVE.organisationId, available: 99, low_below: 100, sequence: 3 };
  const at = '2026-11-25T09:00:00.000Z';
  await startDeliveries({ id: 'e1', type: 'balance.low', at, ...LIVE, data }, hooks.start);
  const [again, aside]: [Sent[], Sent[]] = [[], []];
  const hidden: number[] = [];
  const deps = {
    ...hooks.deliver,
    queue: {
      hideMessage: async (_: string, seconds: number) => void hidden.push(seconds),
      sendBody: async (body: string, options = {}) => void again.push({ body, options }),
    },
    failed: { sendBody: async (body: string, options = {}) => void aside.push({ body, options }) },
  };
  return { hooks, again, aside, hidden, deps, first: JSON.stringify(hooks.world.messages[0]) };
}

const received = (body: string) => ({ Records: [{ messageId: '1', receiptHandle: 'h', body }] });
const KEPT = { batchItemFailures: [{ itemIdentifier: '1' }] };
const DELETED = { batchItemFailures: [] };

/** A row that the schema rejects. */
const readDamagedRow = () => Promise.reject(new TypeError('The row is damaged.'));

test('a message that ends in an error of ours is set aside after five receives, 12 minutes after the first', async () => {
  const { deps, again, aside, first } = await oneDelivery();
  const poisoned = { ...deps, attempts: { ...deps.attempts, readSubject: readDamagedRow } };
  let body = first;
  for (let receives = 1; receives < 5; receives += 1) {
    expect(await handleMessages(received(body), poisoned)).toEqual(DELETED);
    expect(again).toHaveLength(receives);
    expect(again.at(-1)?.options.delaySeconds).toBe(180);
    body = again.at(-1)?.body ?? '';
  }
  expect(aside).toEqual([]);
  expect(await handleMessages(received(body), poisoned)).toEqual(DELETED);
  expect(again).toHaveLength(4);
  // Without its count, so that it has five receives again when an operator moves it back.
  expect(aside).toEqual([{ body: first, options: { group: JSON.parse(first).endpointId } }]);
});

test('the log names the delivery of each failed message, and nothing of the event', async () => {
  const { deps, again, first } = await oneDelivery();
  const poisoned = { ...deps, attempts: { ...deps.attempts, readSubject: readDamagedRow } };
  const output = captureOutput();
  try {
    await handleMessages(received(first), poisoned);
    await handleMessages(received(again[0]?.body ?? ''), poisoned);
    await handleMessages(received('not JSON'), poisoned);
  } finally {
    output.restore();
  }
  const lines = output.both.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
  const [one, two, other] = lines.filter(({ level }) => level === 'ERROR');
  const { deliveryId: delivery, endpointId: endpoint } = JSON.parse(first);
  expect(one).toMatchObject({ delivery, endpoint, organisation: LIVE.organisationId, env: 'live' });
  expect(two.delivery).toBe(delivery);
  expect(other).not.toHaveProperty('delivery');
  expect(output.both).not.toContain('low_below');
});

test('a message that is no delivery is set aside at once', async () => {
  const { deps, again, aside } = await oneDelivery();
  for (const body of ['not JSON', '{"round":1}']) await handleMessages(received(body), deps);
  expect(aside.map(({ body }) => body)).toEqual(['not JSON', '{"round":1}']);
  expect(again).toEqual([]);
});

test('a failing endpoint and an unavailable table never set a message aside', async () => {
  const { hooks, deps, again, aside, hidden, first } = await oneDelivery();
  hooks.world.respond = async () => ({ kind: 'failed', reason: 'TIMEOUT' });
  for (let receives = 0; receives < 8; receives += 1) {
    expect(await handleMessages(received(first), deps)).toEqual(KEPT);
    hooks.world.nowMs += (hidden.at(-1) ?? 0) * 1000;
  }
  const throttled = Object.assign(new Error(), { name: 'ThrottlingException' });
  const attempts = { ...deps.attempts, readSubject: () => Promise.reject(throttled) };
  for (let receives = 0; receives < 8; receives += 1)
    expect(await handleMessages(received(first), { ...deps, attempts })).toEqual(KEPT);
  expect([hooks.world.posts.length > 3, again, aside]).toEqual([true, [], []]);
});

test('a message that cannot be sent again stays in the queue', async () => {
  const { deps, first } = await oneDelivery();
  const attempts = { ...deps.attempts, readSubject: readDamagedRow };
  const sendBody = () => Promise.reject(new Error('SQS does not respond.'));
  const queue = { ...deps.queue, sendBody };
  expect(await handleMessages(received(first), { ...deps, attempts, queue })).toEqual(KEPT);
});
