import { describe, expect, test } from '@jest/globals';
import { type Answer, logLines, number, organisation, post, registryCalls } from '../support/service.ts';

/** The wallet under load: exactly the paid answers are served, whatever comes at once (ledger design, guarantee 4). */

function count(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function callsOf(answers: readonly Answer[]): number {
  return answers.reduce((sum, { json }) => sum + registryCalls(json?.meta.request_id ?? ''), 0);
}

describe('requests that come at once', () => {
  test('200 requests on 10 credits: 10 are served, 190 get 402, balance 0, 10 registry calls', async () => {
    const who = await organisation({ credits: 10 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => post('/v1/ng/nin-basic', { nin: number() }, { key: who.live })),
    );

    expect(count(answers)).toEqual({ 200: 10, 402: 190 });
    expect(await who.balance()).toMatchObject({ available: 0, credited: 10 });
    expect(callsOf(answers)).toBe(10);
  });

  test('500 requests on one credit: one is served, 499 get 402, one registry call', async () => {
    const who = await organisation({ credits: 1 });
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => post('/v1/ng/nin-basic', { nin: number() }, { key: who.live })),
    );

    expect(count(answers)).toEqual({ 200: 1, 402: 499 });
    expect(callsOf(answers)).toBe(1);
  });

  test('500 requests with one idempotency key: one charge, at most 3 free repeats, the others 409', async () => {
    const who = await organisation({ credits: 100 });
    const body = { nin: number() };
    const call = { key: who.live, headers: { 'Idempotency-Key': 'one-key-for-five-hundred' } };
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => post('/v1/ng/nin-basic', body, call)),
    );
    const charged = answers.filter(({ headers }) => headers.get('x-credits-charged') === '1');
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true');

    expect(charged).toHaveLength(1);
    expect(replayed.length).toBeLessThanOrEqual(3);
    expect(count(answers)).toEqual({ 200: 1 + replayed.length, 409: 499 - replayed.length });
    expect((await who.balance()).available).toBe(99);
    expect(callsOf(answers)).toBe(1 + replayed.length);
  });

  test('a wallet of several shards with a price above 1 gives no false 402', async () => {
    const who = await organisation({ credits: 12, walletShards: 4, prices: { 'nin-basic': 2 } });
    const answers: Answer[] = [];
    for (let call = 0; call < 7; call += 1)
      answers.push(await post('/v1/ng/nin-basic', { nin: number() }, { key: who.live }));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 402]);
    expect((await who.balance()).available).toBe(0);
  });
});

describe('idempotency keys', () => {
  const KEY = 'a-key-of-the-callers-own';

  test('a repeat gives the data again free of charge, three times, then REPLAY_EXHAUSTED', async () => {
    const who = await organisation({ credits: 10 });
    const body = { nin: number() };
    const call = { key: who.live, headers: { 'Idempotency-Key': KEY } };
    const answers: Answer[] = [];
    for (let times = 0; times < 5; times += 1) answers.push(await post('/v1/ng/nin-basic', body, call));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 409]);
    expect(answers.map(({ headers }) => headers.get('x-credits-charged'))).toEqual(['1', '0', '0', '0', '0']);
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
      'true',
      'true',
      null,
    ]);
    expect(answers[4]?.json?.code).toBe('REPLAY_EXHAUSTED');
    expect(answers[1]?.json?.data).toEqual(answers[0]?.json?.data);
    expect((await who.balance()).available).toBe(9);
  });

  test('the same key under another spelling of the address is the same key', async () => {
    const who = await organisation();
    const body = { nin: number() };
    const call = { key: who.live, headers: { 'Idempotency-Key': KEY } };
    await post('/v1/ng/nin-basic', body, call);
    const again = await post('/api/v1/ng/nin-basic/', body, call);

    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  test('the same key with another number is 422 and charges nothing', async () => {
    const who = await organisation();
    const call = { key: who.live, headers: { 'Idempotency-Key': KEY } };
    await post('/v1/ng/nin-basic', { nin: number() }, call);
    const other = await post('/v1/ng/nin-basic', { nin: number() }, call);

    expect([other.status, other.json?.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await who.balance()).available).toBe(9);
  });

  test('after a failure the same key is a new attempt', async () => {
    const who = await organisation({ credits: 0 });
    const body = { nin: number() };
    const call = { key: who.live, headers: { 'Idempotency-Key': KEY } };
    const refused = await post('/v1/ng/nin-basic', body, call);
    const again = await post('/v1/ng/nin-basic', body, call);
    const failing = await organisation();
    const failed = { nin: number('0404') };
    const failingCall = { key: failing.live, headers: { 'Idempotency-Key': KEY } };

    expect([refused.status, again.status]).toEqual([402, 402]);
    expect((await post('/v1/ng/nin-basic', failed, failingCall)).status).toBe(400);
    expect((await post('/v1/ng/nin-basic', failed, failingCall)).json?.code).toBe('NIN_NOT_FOUND');
    expect((await failing.balance()).available).toBe(10);
  });

  test('another organisation may use the same key', async () => {
    const [one, two] = [await organisation(), await organisation()];
    const body = { nin: number() };
    const headers = { 'Idempotency-Key': KEY };
    await post('/v1/ng/nin-basic', body, { key: one.live, headers });
    const other = await post('/v1/ng/nin-basic', body, { key: two.live, headers });

    expect(other.headers.get('x-credits-charged')).toBe('1');
  });

  test('while the first attempt runs, a repeat is 409 with Retry-After', async () => {
    const who = await organisation();
    const body = { nin: number('0299') };
    const call = { key: who.live, headers: { 'Idempotency-Key': KEY } };
    const first = post('/v1/ng/nin-basic', body, call);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const second = await post('/v1/ng/nin-basic', body, call);

    expect([second.status, second.json?.code]).toEqual([409, 'REQUEST_IN_PROGRESS']);
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await first).status).toBe(200);
    expect((await who.balance()).available).toBe(9);
  });

  test.each([
    'short',
    'x'.repeat(129),
    'with spaces in it 123',
    'ünïcödé-key-000000'.normalize('NFC').replace(/[^ -~]/g, '%'),
  ])('a malformed key is refused: %s', async (key) => {
    const who = await organisation();
    const answer = await post(
      '/v1/ng/nin-basic',
      { nin: number() },
      { key: who.live, headers: { 'Idempotency-Key': key } },
    );

    expect([answer.status, answer.json?.code]).toEqual([400, 'INVALID_SCHEMA']);
    expect((await who.balance()).available).toBe(10);
  });
});

describe('what the log tells', () => {
  test('one line a request, with its outcome and charge, and no identity data', async () => {
    const who = await organisation();
    const nin = number();
    const answer = await post('/v1/ng/nin-basic', { nin }, { key: who.live });
    const lines = logLines(answer.json?.meta.request_id ?? '').filter(
      (line) => line['message'] === 'request',
    );

    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      route: 'nin-basic',
      status: 200,
      code: 'NIN_VERIFIED',
      credits_charged: 1,
      organisation: who.id,
      env: 'live',
      key_label: 'story',
    });
  });
});
