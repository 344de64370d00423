import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CHANGE_PREFIX } from '../../shared/core/keys.ts';
import {
  type ProviderHistoryTable,
  providerHistoryTable,
} from '../../shared/registries/health/provider-history-table.ts';
import {
  type ProviderSwitchTable,
  providerSwitchTable,
} from '../../shared/registries/health/provider-switch-table.ts';
import type { RegistryProvider } from '../../shared/registries/port.ts';
import { startSandbox } from '../support/sandbox-server.ts';
import { instanceOf, providerAt } from './instance.ts';
import { openStateTable, type StateTable } from './local-state-table.ts';

/** `registry disable` and `registry enable`, as the instances of the functions see them through the shared table. */

const SECRET = 'shared';
const T = 1_700_000_000_000;
const DISABLING = { actor: 'ada', reason: 'wrong records', atMs: T };
const cleanup = new AsyncDisposableStack();
let table: StateTable;
let switches: ProviderSwitchTable;
let history: ProviderHistoryTable;
let sandboxUrl = '';
let testNumber = 0;
let first: CountedProvider;
let second: CountedProvider;
const clock = { nowMs: T };
const nowMs = () => clock.nowMs;

/** A provider that finds every number, or fails at once while it is down. */
interface CountedProvider extends RegistryProvider {
  calls: number;
  isDown: boolean;
  /** Delays each look-up until this promise resolves. */
  until: Promise<void>;
}

function countedProvider(name: string): CountedProvider {
  const sandbox = providerAt(sandboxUrl, name, SECRET);
  const provider: CountedProvider = {
    ...sandbox,
    calls: 0,
    isDown: false,
    until: Promise.resolve(),
    async lookUp(query) {
      provider.calls += 1;
      await provider.until;
      if (provider.isDown) return { kind: 'unreachable', detail: 'ECONNREFUSED' };
      return sandbox.lookUp({ ...query, deadlineMs: Date.now() + 5_000 });
    },
  };
  return provider;
}

const keyOf = ({ name }: RegistryProvider) => ({ provider: name, env: 'live', idType: 'NIN' }) as const;
const instance = (...providers: readonly RegistryProvider[]) => instanceOf(table, providers, nowMs);

beforeAll(async () => {
  table = await openStateTable();
  cleanup.defer(() => table.close());
  switches = providerSwitchTable(table.client, table.tableName);
  history = providerHistoryTable(table.client, table.tableName);
  const sandbox = await startSandbox(SECRET);
  cleanup.defer(() => sandbox.stop());
  sandboxUrl = sandbox.url;
});
afterAll(() => cleanup.disposeAsync());
beforeEach(() => {
  testNumber += 1;
  clock.nowMs = T;
  first = countedProvider(`first${testNumber}`);
  second = countedProvider(`second${testNumber}`);
});

test('a disabled provider receives no further requests, and the next one is used, until it is enabled', async () => {
  const instances = [instance(first, second), instance(first, second)] as const;
  expect((await instances[0].lookUp()).provider.name).toBe(first.name);
  await switches.disable(keyOf(first), DISABLING);
  for (let minute = 0; minute < 20; minute += 1) {
    clock.nowMs += 60_000;
    const routed = await instances[minute % 2 === 0 ? 0 : 1].lookUp();
    expect([routed.result.kind, routed.provider.name, routed.failedProviders]).toEqual([
      'found',
      second.name,
      [],
    ]);
  }
  expect([first.calls, second.calls]).toEqual([1, 20]);

  await switches.enable(keyOf(first), clock.nowMs);
  clock.nowMs += 1_000;
  for (const one of instances) expect((await one.lookUp()).provider.name).toBe(first.name);
});

test('an instance may act on the previous setting for less than a second after a provider was disabled or enabled', async () => {
  const one = instance(first, second);
  await one.lookUp();
  await switches.disable(keyOf(first), DISABLING);
  clock.nowMs += 999;
  expect((await one.lookUp()).provider.name).toBe(first.name);
  clock.nowMs += 1;
  expect((await one.lookUp()).provider.name).toBe(second.name);
  expect((await instance(first, second).lookUp()).provider.name).toBe(second.name);
  await switches.enable(keyOf(first), clock.nowMs);
  clock.nowMs += 1_000;
  expect((await one.lookUp()).provider.name).toBe(first.name);
});

test('a failure is visible at once to the instance that recorded it, and to others within a second', async () => {
  const [one, other] = [instance(first, second), instance(first, second)];
  await one.lookUp();
  await other.lookUp();
  first.isDown = true;
  clock.nowMs += 500;
  expect((await one.lookUp()).failedProviders).toHaveLength(1);
  expect(first.calls).toBe(3);
  expect((await one.lookUp()).failedProviders).toEqual([]);
  expect(first.calls).toBe(3);
  clock.nowMs += 500;
  expect((await other.lookUp()).failedProviders).toEqual([]);
  expect(first.calls).toBe(3);
});

test('a look-up that succeeds after its provider was disabled does not enable the provider', async () => {
  first.isDown = true;
  await instance(first, second).lookUp();
  first.isDown = false;
  clock.nowMs += 15_000;
  let respond = () => {};
  first.until = new Promise((resolve) => {
    respond = () => resolve();
  });
  const inFlight = instance(first, second).lookUp();
  while (first.calls < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  await switches.disable(keyOf(first), DISABLING);
  respond();

  expect((await inFlight).provider.name).toBe(first.name);
  expect(await table.rowOf(keyOf(first))).toMatchObject({ breaker: 'closed', disabled: DISABLING });
  clock.nowMs += 60_000;
  expect((await instance(first, second).lookUp()).provider.name).toBe(second.name);
  expect(first.calls).toBe(2);
});

test('a disabled provider is not asked when the next one fails', async () => {
  await switches.disable(keyOf(first), DISABLING);
  second.isDown = true;
  const { result, failedProviders } = await instance(first, second).lookUp();

  expect([result.kind, failedProviders, first.calls]).toEqual(['unreachable', [], 0]);
});

describe('if all providers of an ID type are disabled', () => {
  test('no provider is asked or probed, and the ID type is unavailable', async () => {
    first.isDown = true;
    for (let calls = 0; calls < 20; calls += 1) await instance(first).lookUp();
    expect(await table.rowOf(keyOf(first))).toMatchObject({ breaker: 'open' });
    for (const provider of [first, second]) await switches.disable(keyOf(provider), DISABLING);
    const before = first.calls;
    for (let minute = 0; minute < 3; minute += 1) {
      clock.nowMs += 60_000;
      expect(await instance(first, second).availability()).toEqual({ kind: 'unavailable' });
      const { result, provider } = await instance(first, second).lookUp();
      expect([result.kind, provider.name]).toEqual(['unreachable', '']);
    }
    expect([first.calls, second.calls]).toEqual([before, 0]);
  });
});

test('a provider that was down when it was disabled is probed once after it is enabled, then used', async () => {
  first.isDown = true;
  for (let calls = 0; calls < 20; calls += 1) await instance(first).lookUp();
  await switches.disable(keyOf(first), DISABLING);
  await switches.enable(keyOf(first), clock.nowMs);
  expect(await instance(first).availability()).toEqual({ kind: 'unavailable', retryAfterSeconds: 10 });

  clock.nowMs += 11_000;
  first.isDown = false;
  expect((await instance(first, second).lookUp()).provider.name).toBe(first.name);
  expect(await table.rowOf(keyOf(first))).toMatchObject({ breaker: 'closed' });
});

describe('the history of a provider', () => {
  test('contains each change of its breaker and of the switch, and the state that the change ended', async () => {
    first.isDown = true;
    for (let calls = 0; calls < 20; calls += 1) await instance(first).lookUp();
    clock.nowMs += 60_000;
    first.isDown = false;
    await instance(first).lookUp();
    clock.nowMs += 60_000;
    await switches.disable(keyOf(first), { ...DISABLING, atMs: clock.nowMs });
    clock.nowMs += 60_000;
    await switches.enable(keyOf(first), clock.nowMs);

    const { state, changes, readFromMs } = await history.readHistory(keyOf(first));
    // Changes in the same 10 s are sorted by name.
    expect(changes.toReversed()).toEqual([
      { became: 'open', atMs: T, was: 'suspect', wasSinceMs: T },
      { became: 'suspect', atMs: T, was: 'closed', wasSinceMs: 0 },
      { became: 'closed', atMs: T + 60_000, was: 'open', wasSinceMs: T },
      { became: 'disabled', atMs: T + 120_000, was: 'enabled', wasSinceMs: 0 },
      { became: 'enabled', atMs: T + 180_000, was: 'disabled', wasSinceMs: T + 120_000 },
    ]);
    expect(readFromMs).toBe(0);
    expect(state).toMatchObject({ breaker: 'closed', sinceMs: T + 60_000 });
  });

  test('has at most three rows for each 10 s, even if the provider alternates between failures and successes', async () => {
    for (let calls = 0; calls < 100; calls += 1) {
      first.isDown = calls % 2 === 0;
      clock.nowMs += 200;
      await instance(first).lookUp();
    }
    const { changes, state } = await history.readHistory(keyOf(first));
    expect(state.sinceMs).toBeGreaterThan(T + 19_000);
    expect(changes.length).toBeGreaterThan(3);
    expect(changes.length).toBeLessThanOrEqual(9);
  });

  test('lacks a change whose write failed, but the look-up and the state are not affected', async () => {
    first.isDown = true;
    let lost = 0;
    table.failWrites = ({ sk }) => {
      if (!String(sk).startsWith(CHANGE_PREFIX)) return false;
      lost += 1;
      return true;
    };
    const { result, provider, elapsedMs } = await instance(first, second).lookUp();
    table.failWrites = () => false;

    expect([result.kind, provider.name, lost]).toEqual(['found', second.name, 1]);
    expect(elapsedMs).toBeLessThan(60_000);
    expect(await table.rowOf(keyOf(first))).toMatchObject({ breaker: 'suspect', sinceMs: T });
    clock.nowMs += 60_000;
    first.isDown = false;
    await instance(first, second).lookUp();
    // The next change still names the state that began with the lost change.
    expect((await history.readHistory(keyOf(first))).changes).toEqual([
      { became: 'closed', atMs: T + 60_000, was: 'suspect', wasSinceMs: T },
    ]);
  });
});
