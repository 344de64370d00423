import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { expectHarmless, expectRejected } from '../security/attack.ts';
import {
  type ApiResponse,
  type Call,
  control,
  get,
  logLines,
  number,
  organisation,
  post,
  registryCalls,
  shards,
  type TestOrganisation,
} from '../support/service.ts';

/** The wallet under load: only paid requests succeed, however many arrive at once (docs/design/ledger.md). */

const PATH = '/v1/ng/nin-basic';

function count(responses: readonly ApiResponse[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const GATEWAY_TIMEOUT = 504;
/** Returns the number of requests that API Gateway ended after 29 s, which happens only on a busy machine. */
const late = (responses: readonly ApiResponse[]) => count(responses)[GATEWAY_TIMEOUT] ?? 0;
const inTime = (responses: readonly ApiResponse[]) =>
  count(responses.filter(({ status }) => status !== GATEWAY_TIMEOUT));

/** Sends this many requests at once, each for a different number unless a body is given. */
const sendAtOnce = (times: number, call: Call, body?: object) =>
  Promise.all(Array.from({ length: times }, () => post(PATH, body ?? { nin: number() }, call)));

const PATIENCE_MS = 180_000;

/** Waits for the organisation's first hold and returns its request ID. */
async function heldRequest(organisationId: string): Promise<string> {
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs; await sleep(100)) {
    const shardRefs = [{ wallet: { env: 'live' as const, organisationId }, shard: 0 }];
    const [hold] = (await shards.getShards(shardRefs)).flatMap(({ row }) => Object.values(row.holds));
    if (hold) return hold.requestId;
  }
  throw new Error('No credit was held.');
}

/** Kills a function during a look-up. The other tests in this file call a different function. */
async function killDuringLookUp(customer: TestOrganisation) {
  // The sandbox registry does not respond for this number.
  const responded = post('/v1/ng/bvn-basic', { bvn: number('0504') }, { key: customer.live });
  const requestId = await heldRequest(customer.id);
  const held = await customer.balance();
  const instances = await control.instances();
  const [busy, ...others] = instances.filter(({ function: name, busy }) => name === 'bvn-basic' && busy);
  if (!busy || others.length > 0) throw new Error('Which function serves the request is unknown.');
  expect(await control.kill(busy.pid)).toBe(true);
  return { requestId, held, response: await responded, after: await customer.balance() };
}

/** Waits until the customer has no hold. Returns how long that took, in ms. */
async function timeUntilReleased({ balance }: TestOrganisation): Promise<number> {
  const startedMs = Date.now();
  while ((await balance()).held > 0 && Date.now() - startedMs < PATIENCE_MS) await sleep(2_000);
  return Date.now() - startedMs;
}

/** Starts before the tests, because the sweeper releases the credit only after the hold has expired. */
const unlucky = await organisation({ credits: 3 });
const killed = await killDuringLookUp(unlucky);
const releasing = timeUntilReleased(unlucky);

function lookUpsOf(responses: readonly ApiResponse[]): number {
  return responses.reduce((sum, { json }) => sum + registryCalls(json?.meta.request_id ?? ''), 0);
}

describe('concurrent requests', () => {
  test('150 for 10 credits: 10 are looked up and succeed, and 140 get 402', async () => {
    const customer = await organisation({ credits: 10 });
    const responses = await sendAtOnce(150, { key: customer.live });

    expect(count(responses)).toEqual({ 200: 10, 402: 140 });
    expect(await customer.balance()).toMatchObject({ available: 0, credited: 10 });
    expect(lookUpsOf(responses)).toBe(10);
  });

  test('S25: 100 simultaneous requests for one credit', async () => {
    const customer = await organisation({ credits: 1 });
    const responses = await sendAtOnce(100, { key: customer.live });

    expect(inTime(responses)).toEqual({ 200: 1, 402: 99 - late(responses) });
    for (const response of responses.filter(({ status }) => status === 402))
      expectHarmless(response, { status: 402, code: 'INSUFFICIENT_FUNDS' });
    expect(await customer.balance()).toMatchObject({ available: 0, credited: 1 });
    expect(lookUpsOf(responses)).toBe(1);
  });

  test('S26: 100 simultaneous requests with one idempotency key', async () => {
    const customer = await organisation({ credits: 100 });
    const body = { nin: number() };
    const call = { key: customer.live, headers: { 'Idempotency-Key': 'one-key-for-all' } };
    const responses = await sendAtOnce(100, call, body);
    const charged = responses.filter(({ headers }) => headers.get('x-credits-charged') === '1');
    const replayed = responses.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');

    expect(charged).toHaveLength(1);
    expect(replayed.length).toBeLessThanOrEqual(3);
    expect(inTime(responses)).toEqual({
      200: 1 + replayed.length,
      409: 99 - replayed.length - late(responses),
    });
    expect((await customer.balance()).available).toBe(99);
    expect(lookUpsOf(responses)).toBe(1 + replayed.length);
  });

  test('with several wallet shards, requests get 402 only once all credits are used up, even at a price above 1', async () => {
    const customer = await organisation({ credits: 12, walletShards: 4, prices: { 'nin-basic': 2 } });
    const responses: ApiResponse[] = [];
    for (let call = 0; call < 7; call += 1)
      responses.push(await post(PATH, { nin: number() }, { key: customer.live }));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 402]);
    expect((await customer.balance()).available).toBe(0);
  });
});

describe('idempotency keys', () => {
  const KEY = 'a-key-of-the-client';

  test('a retry returns the data free of charge three times, then REPLAY_EXHAUSTED', async () => {
    const customer = await organisation({ credits: 10 });
    const body = { nin: number() };
    const call = { key: customer.live, headers: { 'Idempotency-Key': KEY } };
    const responses: ApiResponse[] = [];
    for (let times = 0; times < 5; times += 1) responses.push(await post(PATH, body, call));

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 409]);
    expect(responses.map(({ headers }) => headers.get('x-credits-charged'))).toEqual([
      '1',
      '0',
      '0',
      '0',
      '0',
    ]);
    expect(responses.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
      'true',
      'true',
      null,
    ]);
    expect(responses.map(({ headers }) => headers.get('idempotency-key-charged'))).toEqual(
      Array(5).fill('true'),
    );
    expect(responses[4]?.json?.code).toBe('REPLAY_EXHAUSTED');
    expect(responses[1]?.json?.data).toEqual(responses[0]?.json?.data);
    expect((await customer.balance()).available).toBe(9);
  });

  test('every response repeats a valid key, so that the caller knows whose response it is', async () => {
    const customer = await organisation({ credits: 1 });
    const send = (key: string | undefined, idempotencyKey: string, body: object = { nin: number() }) =>
      post(PATH, body, { key, headers: { 'Idempotency-Key': idempotencyKey } });
    const responses = [
      await send(customer.live, 'key-found'),
      await send(customer.live, 'key-without-credit'),
      await send(customer.live, 'key-of-a-bad-body', {}),
      await send('unknown', 'key-unauthorised'),
      await send(customer.live, 'short'),
      await post(PATH, { nin: number() }, { key: customer.live }),
    ];

    expect(responses.map(({ status, headers }) => [status, headers.get('idempotency-key')])).toEqual([
      [200, 'key-found'],
      [402, 'key-without-credit'],
      [400, 'key-of-a-bad-body'],
      [401, 'key-unauthorised'],
      [400, null],
      [402, null],
    ]);
  });

  test('a retry with a different spelling of the path is also a replay', async () => {
    const customer = await organisation();
    const body = { nin: number() };
    const call = { key: customer.live, headers: { 'Idempotency-Key': KEY } };
    await post(PATH, body, call);
    const again = await post('/api/v1/ng/nin-basic/', body, call);

    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('S27: the same idempotency key for a different number', async () => {
    const customer = await organisation();
    const call = { key: customer.live, headers: { 'Idempotency-Key': KEY } };
    await post(PATH, { nin: number() }, call);
    const other = number();
    const rejected = { status: 422, code: 'IDEMPOTENCY_KEY_REUSED', hidden: [other] };
    await expectRejected(customer, rejected, () => post(PATH, { nin: other }, call));
    expect((await customer.balance()).available).toBe(9);
  });

  test('after a failure, the same key starts a new attempt', async () => {
    const customer = await organisation({ credits: 0 });
    const body = { nin: number() };
    const call = { key: customer.live, headers: { 'Idempotency-Key': KEY } };
    const rejected = await post(PATH, body, call);
    const again = await post(PATH, body, call);
    const failing = await organisation();
    const failed = { nin: number('0404') };
    const failingCall = { key: failing.live, headers: { 'Idempotency-Key': KEY } };

    expect([rejected.status, again.status]).toEqual([402, 402]);
    expect(again.headers.get('idempotency-key-charged')).toBe('false');
    const first = await post(PATH, failed, failingCall);
    expect([first.status, first.headers.get('idempotency-key-charged')]).toEqual([400, 'false']);
    expect((await post(PATH, failed, failingCall)).json?.code).toBe('NIN_NOT_FOUND');
    expect((await failing.balance()).available).toBe(10);
  });

  test('S28: the same idempotency key in another organisation', async () => {
    const [one, two] = [await organisation(), await organisation()];
    const body = { nin: number() };
    const headers = { 'Idempotency-Key': KEY };
    await post(PATH, body, { key: one.live, headers });
    const other = await post(PATH, body, { key: two.live, headers });

    expect([other.status, other.headers.get('x-credits-charged')]).toEqual([200, '1']);
    expect(other.headers.has('idempotent-replayed')).toBe(false);
    for (const { balance } of [one, two]) expect((await balance()).available).toBe(9);
  });

  test('a retry during the first attempt gets 409 with Retry-After', async () => {
    const customer = await organisation();
    const body = { nin: number('0299') };
    const call = { key: customer.live, headers: { 'Idempotency-Key': KEY } };
    const first = post(PATH, body, call);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const second = await post(PATH, body, call);

    expect([second.status, second.json?.code]).toEqual([409, 'REQUEST_IN_PROGRESS']);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await first).status).toBe(200);
    expect((await customer.balance()).available).toBe(9);
  });

  test.each(['short', 'x'.repeat(256), 'tab\tin the key'])('a malformed key is rejected: %s', async (key) => {
    const customer = await organisation();
    const response = await post(
      '/v1/ng/nin-basic',
      { nin: number() },
      { key: customer.live, headers: { 'Idempotency-Key': key } },
    );

    expect([response.status, response.json?.code]).toEqual([400, 'INVALID_SCHEMA']);
    expect(response.json?.message).toMatch(
      /8 to 255 printable ASCII characters: letters, digits, punctuation/,
    );
    expect(response.json?.error).toEqual({
      reason: 'wrong_format',
      field: 'Idempotency-Key',
      hint: 'Use a random UUID.',
    });
    expect((await customer.balance()).available).toBe(10);
  });
});

describe('the log', () => {
  test('has one line per request, with its code and charge', async () => {
    const customer = await organisation();
    const nin = number();
    const response = await post(PATH, { nin }, { key: customer.live });
    const lines = logLines(response.json?.meta.request_id ?? '').filter(
      (line) => line['message'] === 'request',
    );

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      route: 'nin-basic',
      status: 200,
      code: 'NIN_VERIFIED',
      credits_charged: 1,
      organisation: customer.id,
      env: 'live',
      key_label: 'test',
    });
  });
});

/**
 * A function that is killed during a look-up (docs/design/ledger.md). The scheduled sweeper releases the credit and
 * writes the log row.
 */
test('the credit of a killed request is released within 3 minutes', async () => {
  const { requestId, held, response, after } = killed;
  expect(held).toMatchObject({ available: 2, held: 1 });
  expect([response.status, response.json?.code]).toEqual([500, 'SERVER_ERROR']);
  expect(after).toMatchObject({ available: 2, held: 1 });

  expect(await releasing).toBeLessThan(PATIENCE_MS);
  expect(await unlucky.balance()).toEqual({ available: 3, held: 0, credited: 3 });
  const entry = await get(`/v1/verifications/${requestId}`, { key: unlucky.live });
  expect(entry.json?.data).toMatchObject({
    service: 'bvn-basic',
    outcome: 'ABANDONED',
    http_status: 500,
    credits_charged: 0,
  });
}, 240_000);
