import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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
let sandboxUrl = '';
let testNumber = 0;
let first: CountedProvider;
let second: CountedProvider;
/** The test sets the clock of all instances. */
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

const keyOf = ({ name }: RegistryProvider) => ({ provider: name, env: 'live' }) as const;
const instance = (...providers: readonly RegistryProvider[]) => instanceOf(table, providers, nowMs);

beforeAll(async () => {
  table = await openStateTable();
  cleanup.defer(() => table.close());
  switches = providerSwitchTable(table.client, table.tableName);
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

test('a disabled provider gets no further request, and the next one is used, until it is enabled', async () => {
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

  await switches.enable(keyOf(first));
  for (const one of instances) expect((await one.lookUp()).provider.name).toBe(first.name);
});

test('a success of a request that was in flight does not enable the provider', async () => {
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
  test('no provider is asked or probed, and no credit is reserved', async () => {
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
  await switches.enable(keyOf(first));
  expect(await instance(first).availability()).toEqual({ kind: 'unavailable', retryAfterSeconds: 10 });

  clock.nowMs += 11_000;
  first.isDown = false;
  expect((await instance(first, second).lookUp()).provider.name).toBe(first.name);
  expect(await table.rowOf(keyOf(first))).toMatchObject({ breaker: 'closed' });
});
