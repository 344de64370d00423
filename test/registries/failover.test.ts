import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistryProvider } from '../../shared/registries/port.ts';
import { liveProvider } from '../../shared/registries/providers/make-provider.ts';
import type { TestDouble } from '../support/registries/double.ts';
import { type HostileServer, type Manner, startHostileServer } from '../support/registries/hostile-server.ts';
import { PREMBLY_ERRORS, PREMBLY_KEY, startPrembly } from '../support/registries/prembly-double.ts';
import { startSandbox } from '../support/sandbox-server.ts';
import { instanceOf, providerAt, wellAgain } from './routed.ts';
import { openStateTables, type StateTables } from './state-tables.ts';

const SECRET = 'shared';
const cleanup = new AsyncDisposableStack();
let tables: StateTables;
let hostile: HostileServer;
let prembly: TestDouble;
let spare: RegistryProvider;
let sandboxUrl = '';
let drawn = 0;
/** The first in the order; a new one, never in trouble before, for each test. */
let first: RegistryProvider;

beforeAll(async () => {
  tables = await openStateTables();
  cleanup.defer(() => tables.close());
  hostile = await startHostileServer();
  cleanup.defer(() => hostile.stop());
  prembly = await startPrembly();
  cleanup.defer(() => prembly.stop());
  const sandbox = await startSandbox(SECRET);
  cleanup.defer(() => sandbox.stop());
  sandboxUrl = sandbox.url;
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => {
  drawn += 1;
  first = providerAt(hostile.baseUrl, `first${drawn}`, SECRET);
  spare = providerAt(sandboxUrl, `spare${drawn}`, SECRET);
});

const premblyOf = (apiKey: string, name: string): RegistryProvider => ({
  ...liveProvider('prembly', {
    credentials: async () => ({ apiKey, baseUrl: prembly.baseUrl }),
    allowLocal: true,
  }),
  name,
});

describe('when the first provider does not answer, the second one is asked', () => {
  test.each([
    ['reset at once', 'unreachable'],
    ['reset after the request', 'unreachable'],
    ['close after the request', 'unreachable'],
    ['HTML with 503', 'unreachable'],
    ['silence', 'timeout'],
    ['drip', 'timeout'],
  ] as const)('%s', async (manner, outcome) => {
    hostile.manner = manner;
    const answer = await instanceOf(tables, [first, spare]).lookUp({ deadlineMs: Date.now() + 4_000 });

    expect(answer.answer.kind).toBe('found');
    expect(answer.provider.name).toBe(spare.name);
    expect(answer.alsoAsked).toEqual([
      {
        provider: first.name,
        outcome,
        detail: expect.any(String),
        maybeBilled: !['reset at once', 'HTML with 503'].includes(manner),
        latencyMs: expect.any(Number),
      },
    ]);
    expect(answer.elapsedMs).toBeLessThan(4_000);
  });

  test.each([
    ['rate limited', PREMBLY_ERRORS.rateLimited],
    ['its source down', PREMBLY_ERRORS.sourceDown],
    ['our account there empty', PREMBLY_ERRORS.walletEmpty],
    ['a bad gateway', PREMBLY_ERRORS.gateway],
  ])('%s', async (_, number) => {
    const asked = premblyOf(PREMBLY_KEY, `prembly${drawn}`);
    const answer = await instanceOf(tables, [asked, spare]).lookUp({ number });

    expect([answer.answer.kind, answer.provider.name]).toEqual(['found', spare.name]);
    expect(answer.alsoAsked).toMatchObject([{ provider: asked.name, outcome: 'unreachable' }]);
  });

  test('our credentials are refused', async () => {
    const answer = await instanceOf(tables, [premblyOf('wrong', `prembly${drawn}`), spare]).lookUp();

    expect(answer.provider.name).toBe(spare.name);
    expect(answer.alsoAsked).toMatchObject([{ detail: 'credentials-refused', maybeBilled: false }]);
  });

  test('the request has no consent, which the first one demands: it is passed by and not blamed', async () => {
    const credentials = async () => ({ apiKey: 'k', baseUrl: hostile.baseUrl });
    const asked = {
      ...liveProvider('youverify', { credentials, allowLocal: true }),
      name: `youverify${drawn}`,
    };
    const before = hostile.connections();
    const answer = await instanceOf(tables, [asked, spare]).lookUp();

    expect(answer.provider.name).toBe(spare.name);
    expect(answer.alsoAsked).toMatchObject([{ outcome: 'failed', detail: 'consent-needed' }]);
    expect(hostile.connections()).toBe(before);
    expect(await tables.rowOf({ provider: asked.name, env: 'live' })).toBeUndefined();
  });
});

describe('after an answer nobody else is asked', () => {
  test.each([
    ['no record', PREMBLY_ERRORS.notFound, 'not-found'],
    ['an error about the number', PREMBLY_ERRORS.fieldErrors, 'failed'],
    ['an undocumented code', PREMBLY_ERRORS.undocumented, 'failed'],
  ])('%s', async (_, number, kind) => {
    const answer = await instanceOf(tables, [premblyOf(PREMBLY_KEY, `prembly${drawn}`), spare]).lookUp({
      number,
    });
    expect([answer.answer.kind, answer.alsoAsked]).toEqual([kind, []]);
  });

  test.each<[Manner]>([['half a body'], ['redirect to metadata'], ['50 MB, announced'], ['HTML with 200']])(
    '%s',
    async (manner) => {
      hostile.manner = manner;
      const answer = await instanceOf(tables, [first, spare]).lookUp();
      expect([answer.answer.kind, answer.provider.name, answer.alsoAsked]).toEqual([
        'failed',
        first.name,
        [],
      ]);
    },
  );
});

describe('the time budget', () => {
  test('two silent providers end by the deadline, each with its share', async () => {
    hostile.manner = 'silence';
    const silent = providerAt(hostile.baseUrl, `silent${drawn}`, SECRET);
    const { answer, alsoAsked, elapsedMs } = await instanceOf(tables, [first, silent]).lookUp({
      deadlineMs: Date.now() + 3_000,
    });

    expect([answer.kind, alsoAsked.length]).toEqual(['timeout', 1]);
    expect(alsoAsked[0]?.latencyMs).toBeLessThan(2_000);
    expect(elapsedMs).toBeLessThan(4_500);
  });

  test('an adapter that hangs by itself is given up at its deadline', async () => {
    const hanging: RegistryProvider = { ...first, lookUp: () => new Promise(() => undefined) };
    const { answer, elapsedMs } = await instanceOf(tables, [hanging]).lookUp({
      deadlineMs: Date.now() + 500,
    });

    expect(answer).toEqual({ kind: 'timeout', detail: 'overrun', maybeBilled: true });
    expect(elapsedMs).toBeLessThan(2_500);
  });

  test('with no second left nobody else is asked', async () => {
    hostile.manner = 'silence';
    const { alsoAsked } = await instanceOf(tables, [first, spare]).lookUp({ deadlineMs: Date.now() + 1_200 });
    expect(alsoAsked).toEqual([]);
  });
});

test('a healthy provider costs no writes', async () => {
  const instance = instanceOf(tables, [spare, first]);
  tables.commands();
  for (let calls = 0; calls < 3; calls += 1) await instance.lookUp();

  expect(new Set(tables.commands())).toEqual(new Set(['BatchGetItemCommand']));
});

test('the primary is down: the second call, of any instance, goes to the secondary without waiting', async () => {
  hostile.manner = 'silence';
  await instanceOf(tables, [first, spare]).lookUp({ deadlineMs: Date.now() + 3_000 });
  const before = hostile.connections();
  const second = await instanceOf(tables, [first, spare]).lookUp();

  expect([second.answer.kind, second.provider.name, second.alsoAsked]).toEqual(['found', spare.name, []]);
  expect(hostile.connections()).toBe(before);
  expect(second.elapsedMs).toBeLessThan(1_000);
});

test('the return of the primary is noticed within 15 s', async () => {
  hostile.manner = 'reset at once';
  const instances = [instanceOf(tables, [first, spare]), instanceOf(tables, [first, spare])] as const;
  await instances[0].lookUp();
  await sleep(1_000);
  hostile.manner = wellAgain(sandboxUrl);
  const returnedMs = Date.now();
  let noticedMs = 0;
  for (let turn = 0; noticedMs === 0 && Date.now() - returnedMs < 20_000; turn += 1) {
    const { answer, provider } = await instances[turn % 2 === 0 ? 0 : 1].lookUp();
    expect(answer.kind).toBe('found');
    if (provider.name === first.name) noticedMs = Date.now() - returnedMs;
    else await sleep(200);
  }

  expect(noticedMs).toBeGreaterThan(0);
  expect(noticedMs).toBeLessThan(15_000);
  for (const instance of instances) expect((await instance.lookUp()).provider.name).toBe(first.name);
});

describe('the only provider is down', () => {
  /** Fails at once while `isDown`, on a clock that the test moves. */
  const clock = { nowMs: 1_700_000_000_000, isDown: true, calls: 0 };
  const alone = (): RegistryProvider => ({
    ...spare,
    async lookUp(query) {
      clock.calls += 1;
      if (clock.isDown) return { kind: 'unreachable', detail: 'ECONNREFUSED' };
      return spare.lookUp({ ...query, deadlineMs: Date.now() + 5_000 });
    },
  });
  const at = () => clock.nowMs;

  test('after 20 failures it is refused at once, then one probe is let through, then it is trusted again', async () => {
    Object.assign(clock, { isDown: true, calls: 0 });
    const provider = alone();
    const instance = instanceOf(tables, [provider], at);
    const other = instanceOf(tables, [provider], at);
    for (let calls = 0; calls < 20; calls += 1) {
      expect(await other.availability()).toEqual({ kind: 'available' });
      await instance.lookUp();
    }
    expect(await other.availability()).toEqual({ kind: 'unavailable', retryAfterSeconds: 10 });
    clock.nowMs += 9_001;
    expect(await other.availability()).toEqual({ kind: 'unavailable', retryAfterSeconds: 1 });
    expect((await other.lookUp()).answer).toEqual({ kind: 'unreachable', detail: 'breaker-open' });
    expect(clock.calls).toBe(20);

    clock.nowMs += 1_000;
    const both = [instance, other, instance, other, instance, other];
    await Promise.all(both.map((one) => one.lookUp()));
    expect(clock.calls).toBe(21);

    clock.nowMs += 1_000;
    clock.isDown = false;
    expect((await other.lookUp()).answer.kind).toBe('found');
    expect(await instance.availability()).toEqual({ kind: 'available' });
    expect((await instance.lookUp()).answer.kind).toBe('found');
    expect(await tables.rowOf({ provider: provider.name, env: 'live' })).toMatchObject({ breaker: 'closed' });
  });
});
