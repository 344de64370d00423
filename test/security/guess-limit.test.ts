import { describe, expect, jest, test } from '@jest/globals';
import { DAY_MS } from '../../shared/core/clock.ts';
import { logger } from '../../shared/core/logger.ts';
import { seededRandom } from '../ledger/simulation/random.ts';
import { USUAL_RECORD } from '../slips/records.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import type { Caller } from './in-process.ts';
import { lambdaLoad } from './lambda-load.ts';
import { type MemoryService, memoryService } from './memory-service.ts';
import { findsAll, SOME_NIN, verifyNin } from './routes-in-memory.ts';

/** The limit on look-ups without a record (contract F2), with the real chain and table modules in memory. */

const BUDGET = 60;
const DEFAULT_RATE = { perSecond: 10, burst: 20 };
const FIVE_TIMES = { perSecond: 50, burst: 100 };
const TEN_TIMES = { perSecond: 100, burst: 200 };
const missesAll = async () => ({ kind: 'not-found', detail: '' }) as const;

async function liveKey(rateLimit = DEFAULT_RATE) {
  const service = memoryService();
  // Enough shards for the holds of all look-ups in progress.
  const who = await service.newCaller(100_000, 'live', { organisation: { rateLimit, walletShards: 12 } });
  return { service, who };
}

/** Sends look-ups one after another until one is rejected. Returns how many were served, and the rejection. */
async function verifyUntilRejected(service: MemoryService, who: Caller) {
  for (let served = 0; served < 10 * BUDGET; served += 1) {
    const response = await verifyNin(service, who);
    if (response.status === 429) return { served, response };
    service.clock.nowMs += 10;
  }
  throw new Error('No look-up was rejected.');
}

describe('guessing with parallel requests', () => {
  const loads = [
    ['the default rate and a registry that takes 2 s', DEFAULT_RATE, 2000],
    ['the default rate and a registry that takes 5 s', DEFAULT_RATE, 5000],
    ['five times the default rate and a registry that takes 2 s', FIVE_TIMES, 2000],
  ] as const;
  test.each(isComplete ? loads : randomCases(loads, 1))(
    'at %s, at most 60 + burst + rate × latency look-ups get through, then on average one per 10 s',
    async (_, rate, registryMs) => {
      const { service, who } = await liveKey(rate);
      const load = lambdaLoad(service, registryMs, missesAll);
      // The worst case: all misses but one are counted, and the whole burst is left.
      for (let sent = 0; sent < BUDGET - 1; sent += 1) load.sendAt(sent * 100, who, SOME_NIN);
      for (let sent = 0; sent < 2 * rate.burst; sent += 1) load.sendAt(15_000, who, SOME_NIN);
      for (let atMs = 15_050; atMs < 30_000; atMs += 500 / rate.perSecond) load.sendAt(atMs, who, SOME_NIN);
      for (let atMs = 30_000; atMs < 4_000_000; atMs += 2000) load.sendAt(atMs, who, SOME_NIN);
      await load.run();

      const most = BUDGET + rate.burst + (rate.perSecond * registryMs) / 1000;
      const inFirstMinute = load.lookUpsMs.filter((atMs) => atMs < 60_000).length;
      expect(inFirstMinute).toBeGreaterThan(most - 3);
      for (const [index, atMs] of load.lookUpsMs.entries())
        expect(index + 1).toBeLessThanOrEqual(most + atMs / 10_000);
      expect(load.lookUpsMs.at(-1)).toBeGreaterThan(3_900_000);
      for (const { status, code, retryAfterSeconds } of load.responses)
        if (status === 429) expect([code, retryAfterSeconds > 0]).toEqual(['RATE_LIMITED', true]);
    },
  );
});

describe('guessing with one request after another', () => {
  test('60 look-ups without a record are served, then none for up to 10 s, and the log line says why', async () => {
    const { service, who } = await liveKey(TEN_TIMES);
    const lines = jest.spyOn(logger, 'info');
    const { served, response } = await verifyUntilRejected(service, who);
    const line = lines.mock.lastCall?.[1];
    service.clock.nowMs += Number(response.headers['Retry-After']) * 1000;
    const afterwards = [(await verifyNin(service, who)).status, (await verifyNin(service, who)).status];

    expect(served).toBe(BUDGET);
    expect(response.code).toBe('RATE_LIMITED');
    expect(JSON.parse(response.response.body)).toMatchObject({
      message: expect.stringContaining('with this API key found no record'),
      error: { reason: 'miss_limit' },
    });
    // The key may send other requests.
    expect(response.headers).not.toHaveProperty('RateLimit');
    expect(Number(response.headers['Retry-After'])).toBeLessThanOrEqual(10);
    expect(line).toMatchObject({ code: 'RATE_LIMITED', detail: 'guess-limit' });
    expect(afterwards).toEqual([400, 429]);
  });

  test('more keys raise the limit of their organisation to at most three times the limit of one key', async () => {
    const { service, who } = await liveKey(TEN_TIMES);
    const lines = jest.spyOn(logger, 'info');
    const served = [];
    let body = '';
    for (let key = who; served.length < 4; key = await service.newKey(who)) {
      const ended = await verifyUntilRejected(service, key);
      served.push(ended.served);
      body = ended.response.response.body;
    }
    const ended = served.reduce((sum, count) => sum + count, 0);

    expect(served.slice(0, 2)).toEqual([BUDGET, BUDGET]);
    // The organisation regains one look-up every 3.3 s, and the test takes about 2 s.
    expect(ended).toBeGreaterThanOrEqual(3 * BUDGET);
    expect(ended).toBeLessThanOrEqual(3 * BUDGET + 1);
    expect(lines.mock.lastCall?.[1]).toMatchObject({ detail: 'guess-limit-organisation' });
    expect(JSON.parse(body)).toMatchObject({
      message: expect.stringContaining('of this organisation found no record'),
      error: { reason: 'organisation_miss_limit' },
    });
  });

  test('a record gives half a look-up back, and its free replays nothing', async () => {
    const { service, who } = await liveKey(TEN_TIMES);
    for (let sent = 0; sent < 40; sent += 1) await verifyNin(service, who);
    service.registry.lookUp = findsAll;
    const headers = { 'Idempotency-Key': ['one-record-for-all'] };
    const found = [];
    for (let sent = 0; sent < 4; sent += 1) found.push(await verifyNin(service, who, { headers }));
    expect(found.map(({ status, credits }) => [status, credits])).toEqual([
      [200, '1'],
      [200, '0'],
      [200, '0'],
      [200, '0'],
    ]);

    service.registry.lookUp = missesAll;
    expect((await verifyUntilRejected(service, who)).served).toBe(BUDGET - 40);
  });

  test('test keys are exempt', async () => {
    const service = memoryService();
    const who = await service.newCaller(10, 'test', { organisation: { rateLimit: TEN_TIMES } });
    const statuses = new Set<number>();
    for (let sent = 0; sent < 2 * BUDGET; sent += 1) statuses.add((await verifyNin(service, who)).status);

    expect([...statuses]).toEqual([400]);
  });
});

describe('guessing a birth date with match_only', () => {
  const guess = (service: MemoryService, who: Caller, more: Parameters<typeof verifyNin>[2] = {}) =>
    verifyNin(service, who, { birthdate: '01-01-1970', ...more });

  test('ends after ten wrong dates of a number for all keys of the organisation, and not for other look-ups', async () => {
    const { service, who } = await liveKey(TEN_TIMES);
    service.registry.lookUp = findsAll;
    const keys = [who, await service.newKey(who)] as const;
    const headers = { 'Idempotency-Key': ['the-first'] };
    expect((await guess(service, who, { headers })).status).toBe(200);
    for (let sent = 1; sent < 10; sent += 1)
      expect((await guess(service, keys[sent % 2 === 0 ? 0 : 1])).status).toBe(200);
    const before = await service.balance(who);
    const lines = jest.spyOn(logger, 'info');
    const rejected = await guess(service, keys[1], { headers: { 'Idempotency-Key': ['the-last'] } });
    expect(rejected).toMatchObject({ status: 429, code: 'RATE_LIMITED', credits: '0' });
    expect(JSON.parse(rejected.response.body)).toMatchObject({
      message: expect.stringContaining('details that do not match'),
      error: { reason: 'miss_limit' },
    });
    expect(lines.mock.lastCall?.[1]).toMatchObject({ detail: 'guess-limit-number' });
    expect(await service.balance(who)).toEqual(before);

    // A replay, other numbers, and look-ups that return the record.
    expect((await guess(service, who, { headers })).status).toBe(200);
    expect((await guess(service, who, { nin: '41234567891' })).status).toBe(200);
    expect((await verifyNin(service, who)).status).toBe(200);

    const waitMs = Number(rejected.headers['Retry-After']) * 1000;
    expect(waitMs).toBeLessThanOrEqual(DAY_MS / 10);
    service.clock.nowMs += waitMs;
    const last = { headers: { 'Idempotency-Key': ['the-last'] } };
    expect((await guess(service, who, last)).status).toBe(200);
    expect((await guess(service, who)).status).toBe(429);
  });

  test('counts those in progress, so that ten of 40 at once get a response, with any number of keys', async () => {
    const { service, who } = await liveKey(TEN_TIMES);
    service.registry.lookUp = findsAll;
    const keys = [who, await service.newKey(who)] as const;
    const dates = Array.from({ length: 40 }, (_, index) => `01-01-${1960 + index}`);
    const guesses = await Promise.all(
      dates.map((birthdate, index) => guess(service, keys[index % 2] ?? who, { birthdate })),
    );
    expect(guesses.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(30);
  });

  test.each([
    ['a registry that does not respond', async () => ({ kind: 'timeout', detail: '' }) as const],
    ['a number without a record', missesAll],
  ])('does not count %s', async (_, lookUp) => {
    const { service, who } = await liveKey(TEN_TIMES);
    service.registry.lookUp = lookUp;
    for (let sent = 0; sent < 12; sent += 1) expect((await guess(service, who)).status).not.toBe(429);
    service.registry.lookUp = findsAll;
    for (let sent = 0; sent < 10; sent += 1) expect((await guess(service, who)).status).toBe(200);
    expect((await guess(service, who)).status).toBe(429);
  });

  test('counts names that the provider compares, and which therefore bring no record', async () => {
    const { service, who } = await liveKey(TEN_TIMES);
    service.registry.lookUp = async () => ({ kind: 'failed', detail: 'no-record' });
    for (let sent = 0; sent < 10; sent += 1)
      expect((await guess(service, who)).code).not.toBe('RATE_LIMITED');
    expect(await guess(service, who)).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });

  test('does not count a request that the wallet rejects', async () => {
    const service = memoryService();
    const who = await service.newCaller(0, 'live', { organisation: { rateLimit: TEN_TIMES } });
    for (let sent = 0; sent < 12; sent += 1) expect((await guess(service, who)).status).toBe(402);
  });

  test.each([
    ['two updates for a right date', USUAL_RECORD.birthdate, 2],
    ['one update for a wrong date', '01-01-1970', 1],
  ])('costs %s, and no read', async (_, birthdate, updates) => {
    const { service, who } = await liveKey(TEN_TIMES);
    service.registry.lookUp = findsAll;
    const calls: string[] = [];
    service.onCall = ({ input, constructor: { name } }) => {
      if (JSON.stringify(input).includes('"sk":"NUMBER"')) calls.push(name);
    };
    const { firstname, lastname } = USUAL_RECORD;
    await guess(service, who, { birthdate, names: { firstname, lastname } });
    expect(calls).toEqual(Array(updates).fill('UpdateCommand'));
  });

  test('does not count dates that are right', async () => {
    const { service, who } = await liveKey(TEN_TIMES);
    service.registry.lookUp = findsAll;
    const { firstname, lastname, birthdate } = USUAL_RECORD;
    for (let sent = 0; sent < 12; sent += 1)
      expect((await guess(service, who, { birthdate, names: { firstname, lastname } })).status).toBe(200);
  });
});

describe('keys that do not guess', () => {
  test('cost one read and four writes for each record, as without the limit', async () => {
    const { service, who } = await liveKey();
    const load = lambdaLoad(service, 300, findsAll);
    const commands = new Map<string, number>();
    service.onCall = ({ constructor: { name } }) => commands.set(name, (commands.get(name) ?? 0) + 1);
    for (let sent = 0; sent < 200; sent += 1) load.sendAt(sent * 100, who, SOME_NIN);
    await load.run();

    expect(load.responses.filter(({ status }) => status === 200)).toHaveLength(200);
    // The updates are the limiter and the reserve; the puts are the charge and the log row.
    expect(Object.fromEntries(commands)).toEqual({
      BatchGetCommand: 200,
      UpdateCommand: 400,
      PutCommand: 400,
    });
  });

  test('15 look-ups a second, of which 8% find no record, are never held up', async () => {
    const { service, who } = await liveKey({ perSecond: 20, burst: 40 });
    const random = seededRandom(1);
    const load = lambdaLoad(service, 2000, (query) => (random.chance(0.08) ? missesAll() : findsAll(query)));
    for (let sent = 0; sent < 15 * 180; sent += 1) load.sendAt((sent * 1000) / 15, who, SOME_NIN);
    await load.run();

    expect(load.responses.filter(({ status }) => status === 429)).toEqual([]);
    expect(load.responses.filter(({ status }) => status === 400).length).toBeGreaterThan(2 * BUDGET);
  });
});
