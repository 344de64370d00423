import { beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../../../shared/core/clock.ts';
import { deliver, type MessageFate } from '../../../shared/webhooks/deliver.ts';
import { type Delivery, type DeliveryMessage, shownState } from '../../../shared/webhooks/delivery.ts';
import type { Endpoint } from '../../../shared/webhooks/endpoint.ts';
import { SAMPLE_DATA } from '../../../shared/webhooks/event-sample.ts';
import { DELIVERED_TYPES, type EventType, type WebhookEvent } from '../../../shared/webhooks/event-type.ts';
import { deleteEndpoint, rotateSecret, updateEndpoint } from '../../../shared/webhooks/manage-endpoints.ts';
import {
  listDeliveries,
  replayDeliveries,
  resendDelivery,
  sendTest,
} from '../../../shared/webhooks/resend-deliveries.ts';
import { RETRY_WAITS_MS } from '../../../shared/webhooks/schedule.ts';
import { signatureOf } from '../../../shared/webhooks/signature.ts';
import { startDeliveries } from '../../../shared/webhooks/start-deliveries.ts';
import { CHOICE, LIVE, memoryWebhooks, TEST } from '../../support/webhooks/memory-webhooks.ts';

/** Deliveries: when they are tried, how they end, and that late, duplicate and interrupted messages do no harm. */

const code = (expected: string) => expect.objectContaining({ code: expected });
let hooks: ReturnType<typeof memoryWebhooks>;
let endpoint: Endpoint;
let secret: string;
beforeEach(async () => {
  hooks = memoryWebhooks();
  ({ endpoint, secret } = await hooks.add());
});

const event = (id = 'e1', more: Partial<WebhookEvent> = {}): WebhookEvent & { readonly type: EventType } => ({
  id,
  type: 'balance.low',
  at: '2026-11-25T09:00:00.000Z',
  ...LIVE,
  data: { organisation: LIVE.organisationId, available: 99, low_below: 100, sequence: 3 },
  ...(more as object),
});
const start = async (one = event()) => {
  await startDeliveries(one, hooks.start);
  return hooks.world.messages.at(-1) as DeliveryMessage;
};
const handle = (message: DeliveryMessage) => deliver(message, hooks.deliver);
const stored = async ({ deliveryId }: DeliveryMessage): Promise<Delivery | undefined> =>
  hooks.deliveries.getDelivery(LIVE, endpoint.id, deliveryId);
const failWith = (status: number) => {
  hooks.world.respond = async () => ({
    kind: 'failed',
    reason: status === 410 ? 'GONE' : 'HTTP_STATUS',
    status,
  });
};
/** Handles a message until its delivery has ended, and waits as the queue does. Returns the waits in seconds. */
const untilEnd = async (message: DeliveryMessage) => {
  const waits: number[] = [];
  for (let steps = 0; steps < 100; steps += 1) {
    const fate: MessageFate = await handle(message);
    if (fate.kind === 'done') return waits;
    waits.push(fate.seconds);
    hooks.world.nowMs += fate.seconds * 1000;
  }
  throw new Error('The delivery has no end.');
};

describe('an event for webhooks', () => {
  test('is delivered once to each endpoint that has chosen it, and to no others', async () => {
    await hooks.add(LIVE, { ...CHOICE, url: 'https://second.example.com/' });
    await hooks.add(LIVE, { ...CHOICE, url: 'https://other.example.com/', eventTypes: ['wallet.empty'] });
    await hooks.add(TEST, { ...CHOICE, url: 'https://test.example.com/' });
    await hooks.add({ ...LIVE, organisationId: 'ORG0000002' });
    await start();
    expect(hooks.world.messages).toHaveLength(2);
    for (const message of hooks.world.messages) await handle(message);
    expect(hooks.world.posts.map(({ url }) => url).sort()).toEqual([
      CHOICE.url,
      'https://second.example.com/',
    ]);
  });

  test('that is published twice causes one delivery, and a second message only if nothing was tried', async () => {
    const message = await start();
    expect(await start()).toEqual(message);
    expect(hooks.world.messages).toHaveLength(2);
    for (const one of hooks.world.messages) await handle(one);
    await start();
    expect(hooks.world.messages).toHaveLength(2);
    failWith(500);
    await handle(await start(event('e2')));
    await start(event('e2'));
    expect(hooks.world.messages).toHaveLength(3);
    expect(hooks.world.posts).toHaveLength(2);
    const { deliveries } = await listDeliveries(LIVE, endpoint.id, { limit: 10 }, hooks.start as never);
    expect(deliveries).toHaveLength(2);
  });

  test("is sent with only its documented fields and the endpoint's signature", async () => {
    await handle(await start());
    const [post] = hooks.world.posts;
    expect(JSON.parse(post?.body ?? '')).toEqual({
      id: 'e1',
      type: 'balance.low',
      timestamp: '2026-11-25T09:00:00.000Z',
      environment: 'live',
      data: { available: 99, low_below: 100, sequence: 3 },
    });
    const timestamp = hooks.world.nowMs / 1000;
    expect(post?.headers).toEqual({
      'webhook-id': 'e1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ id: 'e1', timestamp, body: post?.body ?? '' }, secret),
    });
  });

  test('of another environment is never stored for an endpoint', async () => {
    const crossed = { ...hooks.start, endpoints: { listEndpoints: async () => [endpoint] } };
    await expect(startDeliveries(event('e1', { env: 'test' }), crossed)).rejects.toThrow('must stay');
    expect(hooks.world.messages).toEqual([]);
  });
});

describe('a delivery', () => {
  test('returns its lease', async () => {
    await handle(await start());
    const row = await hooks.endpoints.getEndpoint(LIVE, endpoint.id);
    expect([row?.leaseA, row?.leaseB]).toEqual([undefined, undefined]);
  });

  test('that succeeds records the status', async () => {
    const message = await start();
    expect(await handle(message)).toMatchObject({ kind: 'done' });
    expect(await stored(message)).toMatchObject({ state: 'DELIVERED', status: 200, attempts: 1, round: 1 });
    expect((await stored(message))?.attemptUntilMs).toBeUndefined();
    const attempts = await hooks.deliveries.listAttempts(LIVE, endpoint.id, message.deliveryId, 20);
    const { nowMs } = hooks.world;
    const expiresAt = (nowMs + 30 * DAY_MS) / 1000;
    expect(attempts).toEqual([
      { number: 1, at: new Date(nowMs).toISOString(), durationMs: 0, status: 200, expiresAt },
    ]);
  });

  test('that fails is tried ten times, with the documented waits, and is then FAILED', async () => {
    failWith(500);
    const message = await start();
    const attemptedAt: number[] = [];
    hooks.world.respond = async () => {
      attemptedAt.push(hooks.world.nowMs);
      return { kind: 'failed', reason: 'HTTP_STATUS', status: 500 };
    };
    const waits = await untilEnd(message);
    const attempts = await hooks.deliveries.listAttempts(LIVE, endpoint.id, message.deliveryId, 20);
    expect(attempts.map(({ number, at }) => [number, Date.parse(at)])).toEqual(
      attemptedAt.map((at, index) => [index + 1, at]).reverse(),
    );
    const between = attemptedAt.slice(1).map((at, index) => at - (attemptedAt[index] ?? 0));
    expect(between).toEqual([...RETRY_WAITS_MS]);
    // SQS hides a message for at most 12 hours.
    expect(Math.max(...waits)).toBeLessThanOrEqual(12 * 3600);
    expect(await stored(message)).toMatchObject({
      state: 'FAILED',
      reason: 'HTTP_STATUS',
      status: 500,
      attempts: 10,
    });
  });

  test('to an endpoint that responds with 410 fails at once, disables the endpoint, and cancels waiting deliveries', async () => {
    failWith(500);
    const waiting = await start(event('e0'));
    await handle(waiting);
    failWith(410);
    const message = await start();
    expect(await handle(message)).toMatchObject({
      kind: 'done',
      result: { state: 'FAILED', reason: 'GONE' },
    });
    expect(await hooks.endpoints.getEndpoint(LIVE, endpoint.id)).toMatchObject({
      state: 'DISABLED',
      disabledBecause: 'GONE',
    });
    const posts = hooks.world.posts.length;
    expect(await handle(waiting)).toMatchObject({ kind: 'done' });
    expect(await stored(waiting)).toMatchObject({ state: 'CANCELLED', reason: 'ENDPOINT_DISABLED' });
    expect(hooks.world.posts).toHaveLength(posts);
    await start(event('e2'));
    expect(hooks.world.messages.some(({ deliveryId }) => deliveryId === 'e2')).toBe(false);
  });

  test('does not disable an endpoint whose address was changed during the request', async () => {
    const message = await start();
    hooks.world.respond = async () => {
      await updateEndpoint(LIVE, endpoint.id, { ...CHOICE, url: 'https://new.example.com/' }, hooks.manage);
      return { kind: 'failed', reason: 'GONE', status: 410 };
    };
    await handle(message);
    expect(await hooks.endpoints.getEndpoint(LIVE, endpoint.id)).toMatchObject({ state: 'ENABLED' });
  });

  test('to a deleted endpoint is cancelled and not sent', async () => {
    const message = await start();
    await deleteEndpoint(LIVE, endpoint.id, hooks.manage);
    await handle(message);
    expect(await stored(message)).toMatchObject({
      state: 'CANCELLED',
      reason: 'ENDPOINT_DELETED',
      attempts: 0,
    });
    expect(hooks.world.posts).toEqual([]);
  });

  test('uses the address and the secrets that are current at the time of the attempt', async () => {
    const message = await start();
    await updateEndpoint(LIVE, endpoint.id, { ...CHOICE, url: 'https://new.example.com/' }, hooks.manage);
    await rotateSecret(LIVE, endpoint.id, hooks.manage);
    await handle(message);
    const [post] = hooks.world.posts;
    expect(post?.url).toBe('https://new.example.com/');
    expect(post?.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  });

  test('is signed with the new secret alone if the master secret of the old one is lost', async () => {
    const message = await start();
    hooks.world.masters = { current: 'master secret two' };
    await expect(handle(message)).rejects.toThrow('no longer known');
    const { secret: rotated } = await rotateSecret(LIVE, endpoint.id, hooks.manage);
    const later = await start(event('e2'));
    await handle(later);
    const [post] = hooks.world.posts;
    const timestamp = Number(post?.headers['webhook-timestamp']);
    const sent = { id: 'e2', timestamp, body: post?.body ?? '' };
    expect(post?.headers['webhook-signature']).toBe(signatureOf(sent, rotated));
  });

  test('ends even if its attempt cannot be stored', async () => {
    const attempts = {
      ...hooks.deliver.attempts,
      insertAttempt: () => Promise.reject(new Error('no table')),
    };
    const message = await start();
    expect(await deliver(message, { ...hooks.deliver, attempts })).toMatchObject({ kind: 'done' });
    expect(await stored(message)).toMatchObject({ state: 'DELIVERED' });
  });

  test('that is more than a day overdue is shown as FAILED', async () => {
    const row = await stored(await start());
    expect(row && shownState(row, hooks.world.nowMs + DAY_MS)).toEqual({ state: 'PENDING' });
    expect(row && shownState(row, hooks.world.nowMs + DAY_MS + 1)).toEqual({
      state: 'FAILED',
      reason: 'NOT_ATTEMPTED',
    });
    const attemptUntilMs = hooks.world.nowMs + HOUR_MS;
    expect(row && shownState({ ...row, attemptUntilMs }, attemptUntilMs + DAY_MS)).toEqual({
      state: 'PENDING',
    });
  });
});

describe('a message', () => {
  test('whose attempt was interrupted counts the attempt, and leads to another as planned', async () => {
    const message = await start();
    hooks.world.respond = () => Promise.reject(new Error('killed'));
    await expect(handle(message)).rejects.toThrow('killed');
    expect(await stored(message)).toMatchObject({ state: 'PENDING', attemptInRound: 1, attempts: 1 });
    hooks.world.respond = async () => ({ kind: 'delivered', status: 200 });
    expect(await handle(message)).toEqual({ kind: 'hide', seconds: 31 });
    hooks.world.nowMs += 31_000;
    expect(await handle(message)).toMatchObject({ kind: 'done', result: { state: 'DELIVERED' } });
  });

  test('in a process that was frozen for most of its lease sends nothing', async () => {
    const message = await start();
    const frozen = {
      ...hooks.deliver,
      masters: async () => {
        hooks.world.nowMs += 25_000;
        return hooks.world.masters;
      },
    };
    await deliver(message, frozen);
    expect(hooks.world.posts).toEqual([]);
    expect(await stored(message)).toMatchObject({ state: 'PENDING', reason: 'INTERRUPTED' });
  });
});

test('a sample is tried once, and again only if it is resent', async () => {
  failWith(500);
  const sent = await sendTest(LIVE, endpoint.id, 'balance.low', { ...hooks.start, ...hooks.manage });
  for (const round of [1, 2]) {
    expect(await untilEnd(hooks.world.messages.at(-1) as DeliveryMessage)).toEqual([]);
    const row = await hooks.deliveries.getDelivery(LIVE, endpoint.id, sent.id);
    expect(row).toMatchObject({ state: 'FAILED', reason: 'HTTP_STATUS', attempts: round });
    if (round === 1) await resendDelivery(LIVE, endpoint.id, sent.id, { ...hooks.start, ...hooks.manage });
  }
  expect(hooks.world.posts).toHaveLength(2);
});

describe('a member with webhooks', () => {
  const resend = () => ({ ...hooks.start, ...hooks.manage });
  const replay = () => ({ ...resend(), nextDueMs: async () => hooks.world.nowMs });

  test.each(DELIVERED_TYPES)(
    'can send a sample of %s to an endpoint that has chosen any events',
    async (type) => {
      const row = await sendTest(LIVE, endpoint.id, type, resend());
      expect(row.eventId).toMatch(/^test_/);
      await handle(hooks.world.messages[0] as DeliveryMessage);
      expect(JSON.parse(hooks.world.posts[0]?.body ?? '')).toEqual({
        id: row.eventId,
        type,
        timestamp: expect.any(String),
        environment: 'live',
        data: SAMPLE_DATA[type],
      });
    },
  );

  test('can resend a failed delivery, which keeps the event ID and gets all attempts again', async () => {
    failWith(500);
    const message = await start();
    await untilEnd(message);
    const before = await stored(message);
    const after = await resendDelivery(LIVE, endpoint.id, message.deliveryId, resend());
    expect(after.expiresAt).toBeGreaterThan(before?.expiresAt ?? Number.POSITIVE_INFINITY);
    const again = hooks.world.messages.at(-1) as DeliveryMessage;
    expect(again).toEqual({ ...message, round: 2 });
    expect(await handle(again)).toEqual({ kind: 'hide', seconds: 5 });
    hooks.world.nowMs += 5_000;
    hooks.world.respond = async () => ({ kind: 'delivered', status: 200 });
    expect(await handle(again)).toMatchObject({ kind: 'done', result: { state: 'DELIVERED' } });
    expect(await stored(message)).toMatchObject({ state: 'DELIVERED', attempts: 12, eventId: 'e1' });
    expect(new Set(hooks.world.posts.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(['e1']));
  });

  test('who resends a delivery ends the message of the earlier round', async () => {
    failWith(500);
    const message = await start();
    await handle(message);
    await resendDelivery(LIVE, endpoint.id, message.deliveryId, resend());
    expect(await handle(message)).toEqual({ kind: 'done' });
    expect(hooks.world.posts).toHaveLength(1);
  });

  test('S93: an endpoint or delivery of another organisation or environment', async () => {
    const message = await start();
    for (const owner of [TEST, { ...LIVE, organisationId: 'ORG0000002' }]) {
      const rejected = code('RESOURCE_NOT_FOUND');
      await expect(resendDelivery(owner, endpoint.id, message.deliveryId, resend())).rejects.toEqual(
        rejected,
      );
      await expect(listDeliveries(owner, endpoint.id, { limit: 10 }, resend())).rejects.toEqual(rejected);
      await expect(sendTest(owner, endpoint.id, 'test', resend())).rejects.toEqual(rejected);
      // A message that names the delivery of another owner finds no row.
      expect(await handle({ ...message, ...owner })).toEqual({ kind: 'done' });
    }
    expect(hooks.world.posts).toEqual([]);
  });

  test('cannot resend to a disabled endpoint', async () => {
    const message = await start();
    await updateEndpoint(LIVE, endpoint.id, { ...CHOICE, isEnabled: false }, hooks.manage);
    await expect(resendDelivery(LIVE, endpoint.id, message.deliveryId, resend())).rejects.toEqual(
      code('ENDPOINT_NOT_ENABLED'),
    );
  });

  test('can replay the failed deliveries of a period in parts, and no others', async () => {
    failWith(410);
    const fromMs = hooks.world.nowMs;
    const failed: DeliveryMessage[] = [];
    for (let count = 0; count < 120; count += 1) failed.push(await start(event(`e${count}`)));
    for (const message of failed) await handle(message);
    const toMs = hooks.world.nowMs;
    await updateEndpoint(LIVE, endpoint.id, { ...CHOICE, isEnabled: true }, hooks.manage);
    hooks.world.nowMs += 1;
    hooks.world.respond = async () => ({ kind: 'delivered', status: 200 });
    await handle(await start(event('later')));
    await handle(await start(event('other')));
    hooks.world.messages.length = 0;

    let after: string | undefined;
    let [parts, resent] = [0, 0];
    do {
      const part = await replayDeliveries(
        LIVE,
        endpoint.id,
        { fromMs, toMs, which: 'failed', after },
        replay(),
      );
      after = part.next;
      parts += 1;
      resent += part.resent;
    } while (after);
    expect([parts, resent]).toEqual([3, 120]);
    expect(new Set(hooks.world.messages.map(({ deliveryId }) => deliveryId))).toEqual(
      new Set(failed.map(({ deliveryId }) => deliveryId)),
    );
  });

  test('can replay all deliveries of a period, except those that wait for their next attempt', async () => {
    const fromMs = hooks.world.nowMs;
    const delivered = await start(event('delivered'));
    await handle(delivered);
    failWith(500);
    await handle(await start(event('waiting')));
    hooks.world.messages.length = 0;
    const period = { fromMs, toMs: hooks.world.nowMs };
    await replayDeliveries(LIVE, endpoint.id, { ...period, which: 'failed' }, replay());
    expect(hooks.world.messages).toEqual([]);
    await replayDeliveries(LIVE, endpoint.id, { ...period, which: 'all' }, replay());
    expect(hooks.world.messages).toEqual([{ ...delivered, round: 2 }]);
  });

  test('can list deliveries in parts, newest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      hooks.world.nowMs += 1;
      ids.unshift((await start(event(`e${count}`))).deliveryId);
    }
    const first = await listDeliveries(LIVE, endpoint.id, { limit: 3 }, resend());
    const second = await listDeliveries(LIVE, endpoint.id, { limit: 3, before: first.next }, resend());
    expect([...first.deliveries, ...second.deliveries].map(({ id }) => id)).toEqual(ids);
    expect(second.next).toBeUndefined();
  });
});
