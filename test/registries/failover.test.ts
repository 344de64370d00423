import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistryProvider } from '../../shared/registries/port.ts';
import { liveProvider } from '../../shared/registries/providers/make-provider.ts';
import type { TestDouble } from '../support/registries/double.ts';
import {
  type Behaviour,
  type HostileServer,
  startHostileServer,
} from '../support/registries/hostile-server.ts';
import { PREMBLY_ERRORS, PREMBLY_KEY, startPrembly } from '../support/registries/prembly-double.ts';
import { startSandbox } from '../support/sandbox-server.ts';
import { instanceOf, providerAt, recovered } from './instance.ts';
import { openStateTable, type StateTable } from './local-state-table.ts';

const SECRET = 'shared';
const cleanup = new AsyncDisposableStack();
let table: StateTable;
let hostile: HostileServer;
let prembly: TestDouble;
let spare: RegistryProvider;
let sandboxUrl = '';
let testNumber = 0;
/** The first provider in the order. Each test has a new one, which has never failed. */
let first: RegistryProvider;

beforeAll(async () => {
  table = await openStateTable();
  cleanup.defer(() => table.close());
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
  testNumber += 1;
  first = providerAt(hostile.baseUrl, `first${testNumber}`, SECRET);
  spare = providerAt(sandboxUrl, `spare${testNumber}`, SECRET);
});

const premblyOf = (apiKey: string, name: string): RegistryProvider => ({
  ...liveProvider('prembly', {
    credentials: async () => ({ apiKey, baseUrl: prembly.baseUrl }),
    allowLocal: true,
  }),
  name,
});

describe('the second provider is asked after a failure of the first:', () => {
  test.each([
    ['reset at once', 'unreachable'],
    ['reset after the request', 'unreachable'],
    ['close after the request', 'unreachable'],
    ['HTML with 503', 'unreachable'],
    ['silence', 'timeout'],
    ['drip', 'timeout'],
  ] as const)('%s', async (behaviour, outcome) => {
    hostile.behaviour = behaviour;
    const routed = await instanceOf(table, [first, spare]).lookUp({ deadlineMs: Date.now() + 4_000 });

    expect(routed.result.kind).toBe('found');
    expect(routed.provider.name).toBe(spare.name);
    expect(routed.failedProviders).toEqual([
      {
        provider: first.name,
        outcome,
        detail: expect.any(String),
        maybeBilled: !['reset at once', 'HTML with 503'].includes(behaviour),
        latencyMs: expect.any(Number),
      },
    ]);
    expect(routed.elapsedMs).toBeLessThan(4_000);
  });

  test.each([
    ['a rate limit', PREMBLY_ERRORS.rateLimited],
    ['a report that its source is down', PREMBLY_ERRORS.sourceDown],
    ['a report that our account is empty', PREMBLY_ERRORS.walletEmpty],
    ['a bad gateway', PREMBLY_ERRORS.gateway],
  ])('%s', async (_, number) => {
    const asked = premblyOf(PREMBLY_KEY, `prembly${testNumber}`);
    const routed = await instanceOf(table, [asked, spare]).lookUp({ number });

    expect([routed.result.kind, routed.provider.name]).toEqual(['found', spare.name]);
    expect(routed.failedProviders).toMatchObject([{ provider: asked.name, outcome: 'unreachable' }]);
  });

  test('a rejection of our credentials', async () => {
    const routed = await instanceOf(table, [premblyOf('wrong', `prembly${testNumber}`), spare]).lookUp();

    expect(routed.provider.name).toBe(spare.name);
    expect(routed.failedProviders).toMatchObject([{ detail: 'credentials-refused', maybeBilled: false }]);
  });

  test.each([
    ['consent', 'youverify', 'consent-needed'],
    ['name', 'qoreid', 'names-needed'],
  ] as const)(
    'the lack of a required %s in the request, which does not count against the provider',
    async (_, name, detail) => {
      const secret = { apiKey: 'k', clientId: 'c', secret: 's', baseUrl: hostile.baseUrl };
      const asked = {
        ...liveProvider(name, { credentials: async () => secret, allowLocal: true }),
        name: `${name}${testNumber}`,
      };
      const before = hostile.connections();
      const routed = await instanceOf(table, [asked, spare]).lookUp();

      expect(routed.provider.name).toBe(spare.name);
      expect(routed.failedProviders).toMatchObject([{ outcome: 'failed', detail }]);
      expect(hostile.connections()).toBe(before);
      expect(await table.rowOf({ provider: asked.name, env: 'live', idType: 'NIN' })).toBeUndefined();
    },
  );
});

describe('no other provider is asked after', () => {
  test.each([
    ['the result that there is no record', PREMBLY_ERRORS.notFound, 'not-found'],
    ['an error about the number', PREMBLY_ERRORS.fieldErrors, 'failed'],
    ['an undocumented code', PREMBLY_ERRORS.undocumented, 'failed'],
  ])('%s', async (_, number, kind) => {
    const routed = await instanceOf(table, [premblyOf(PREMBLY_KEY, `prembly${testNumber}`), spare]).lookUp({
      number,
    });
    expect([routed.result.kind, routed.failedProviders]).toEqual([kind, []]);
  });

  test.each<[Behaviour]>([
    ['half a body'],
    ['redirect to metadata'],
    ['50 MB, announced'],
    ['HTML with 200'],
  ])('%s', async (behaviour) => {
    hostile.behaviour = behaviour;
    const routed = await instanceOf(table, [first, spare]).lookUp();
    expect([routed.result.kind, routed.provider.name, routed.failedProviders]).toEqual([
      'failed',
      first.name,
      [],
    ]);
  });
});

describe('the time budget', () => {
  test('two providers that do not respond share it, and the look-up ends by the deadline', async () => {
    hostile.behaviour = 'silence';
    const second = providerAt(hostile.baseUrl, `second${testNumber}`, SECRET);
    const { result, failedProviders, elapsedMs } = await instanceOf(table, [first, second]).lookUp({
      deadlineMs: Date.now() + 3_000,
    });

    expect([result.kind, failedProviders.length]).toEqual(['timeout', 1]);
    expect(failedProviders[0]?.latencyMs).toBeLessThan(2_000);
    expect(elapsedMs).toBeLessThan(4_500);
  });

  test('an adapter that hangs is abandoned at its deadline', async () => {
    const hanging: RegistryProvider = { ...first, lookUp: () => new Promise(() => undefined) };
    const { result, elapsedMs } = await instanceOf(table, [hanging]).lookUp({
      deadlineMs: Date.now() + 500,
    });

    expect(result).toEqual({
      kind: 'timeout',
      detail: 'overrun',
      maybeBilled: true,
      excludedFromHealth: true,
    });
    expect(elapsedMs).toBeLessThan(2_500);
  });

  test('no other provider is asked when less than 1 s is left', async () => {
    hostile.behaviour = 'silence';
    const { failedProviders } = await instanceOf(table, [first, spare]).lookUp({
      deadlineMs: Date.now() + 1_200,
    });
    expect(failedProviders).toEqual([]);
  });
});

test('a healthy provider costs no writes', async () => {
  // The spare may have been too slow in an earlier test.
  const instance = instanceOf(table, [providerAt(sandboxUrl, 'healthy', SECRET), first]);
  table.commands();
  for (let calls = 0; calls < 3; calls += 1) await instance.lookUp();

  expect(new Set(table.commands())).toEqual(new Set(['BatchGetItemCommand']));
});

test('after a failure of the primary, an instance that starts later asks the secondary at once', async () => {
  hostile.behaviour = 'silence';
  await instanceOf(table, [first, spare]).lookUp({ deadlineMs: Date.now() + 9_000 });
  const before = hostile.connections();
  const second = await instanceOf(table, [first, spare]).lookUp();

  expect([second.result.kind, second.provider.name, second.failedProviders]).toEqual([
    'found',
    spare.name,
    [],
  ]);
  expect(hostile.connections()).toBe(before);
  expect(second.elapsedMs).toBeLessThan(1_000);
});

test('a recovery of the primary is detected within 15 s', async () => {
  hostile.behaviour = 'reset at once';
  const instances = [instanceOf(table, [first, spare]), instanceOf(table, [first, spare])] as const;
  await instances[0].lookUp();
  await sleep(1_000);
  hostile.behaviour = recovered(sandboxUrl);
  const recoveredMs = Date.now();
  let detectedMs = 0;
  for (let turn = 0; detectedMs === 0 && Date.now() - recoveredMs < 20_000; turn += 1) {
    const { result, provider } = await instances[turn % 2 === 0 ? 0 : 1].lookUp();
    expect(result.kind).toBe('found');
    if (provider.name === first.name) detectedMs = Date.now() - recoveredMs;
    else await sleep(200);
  }

  expect(detectedMs).toBeGreaterThan(0);
  expect(detectedMs).toBeLessThan(15_000);
  for (const instance of instances) expect((await instance.lookUp()).provider.name).toBe(first.name);
});

describe('if the only provider is down', () => {
  /** The provider fails at once while `isDown`. The test sets the clock. */
  const clock = { nowMs: 1_700_000_000_000, isDown: true, calls: 0 };
  const onlyProvider = (): RegistryProvider => ({
    ...spare,
    async lookUp(query) {
      clock.calls += 1;
      if (clock.isDown) return { kind: 'unreachable', detail: 'ECONNREFUSED' };
      return spare.lookUp({ ...query, deadlineMs: Date.now() + 5_000 });
    },
  });
  const nowMs = () => clock.nowMs;

  test('its breaker opens after 20 failures, permits one probe at a time, and closes after a success', async () => {
    Object.assign(clock, { isDown: true, calls: 0 });
    const provider = onlyProvider();
    const instance = instanceOf(table, [provider], nowMs);
    const other = instanceOf(table, [provider], nowMs);
    for (let calls = 0; calls < 20; calls += 1) {
      expect(await other.availability()).toEqual({ kind: 'available' });
      await instance.lookUp();
    }
    // The other instance uses a state that is up to a second old. The instance whose look-up failed knows at once.
    expect(await instance.availability()).toEqual({ kind: 'unavailable', retryAfterSeconds: 10 });
    clock.nowMs += 1_000;
    expect(await other.availability()).toEqual({ kind: 'unavailable', retryAfterSeconds: 9 });
    clock.nowMs += 8_001;
    expect(await other.availability()).toEqual({ kind: 'unavailable', retryAfterSeconds: 1 });
    expect((await other.lookUp()).result).toEqual({ kind: 'unreachable', detail: 'breaker-open' });
    expect(clock.calls).toBe(20);

    clock.nowMs += 1_000;
    const both = [instance, other, instance, other, instance, other];
    await Promise.all(both.map((one) => one.lookUp()));
    expect(clock.calls).toBe(21);

    clock.nowMs += 1_000;
    clock.isDown = false;
    expect((await other.lookUp()).result.kind).toBe('found');
    expect(await instance.availability()).toEqual({ kind: 'available' });
    expect((await instance.lookUp()).result.kind).toBe('found');
    expect(await table.rowOf({ provider: provider.name, env: 'live', idType: 'NIN' })).toMatchObject({
      breaker: 'closed',
    });
  });
});
