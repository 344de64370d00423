import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProviderKey } from '../../shared/core/keys.ts';
import {
  type ProviderSwitchTable,
  providerSwitchTable,
} from '../../shared/registries/health/provider-switch-table.ts';
import {
  type RegistryStateTable,
  registryStateTable,
} from '../../shared/registries/health/registry-state-table.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';

const T = 1_700_000_000_000;
const DISABLING = { actor: 'ada', reason: 'wrong records', atMs: T };

let local: StateTable;
let states: RegistryStateTable;
let switches: ProviderSwitchTable;
let providers = 0;
beforeAll(async () => {
  local = await openStateTable();
  states = registryStateTable(local.client, local.tableName);
  switches = providerSwitchTable(local.client, local.tableName);
});
afterAll(() => local.close());

function newProvider(): ProviderKey {
  providers += 1;
  return { provider: `provider${providers}`, env: 'live', idType: 'NIN' };
}
async function stateOf(key: ProviderKey) {
  const [state] = await states.getStates([key]);
  if (!state) throw new Error('There is no state.');
  return state;
}
const failAt = (key: ProviderKey, atMs: number) =>
  states.recordFailure(key, { startedMs: atMs - 10, endedMs: atMs, successes: 0 });
async function openAt(key: ProviderKey, atMs: number) {
  for (let failures = 0; failures < 20; failures += 1) await failAt(key, atMs);
}

test('a provider that has never failed can be disabled and enabled', async () => {
  const key = newProvider();
  expect(await switches.disable(key, DISABLING)).toBeUndefined();
  expect(await stateOf(key)).toMatchObject({ breaker: 'closed', disabled: DISABLING });

  expect(await switches.enable(key, T + 1_000)).toEqual(DISABLING);
  expect((await stateOf(key)).disabled).toBeUndefined();
});

test('disabling a disabled provider changes nothing and returns who disabled it', async () => {
  const key = newProvider();
  await switches.disable(key, DISABLING);

  expect(await switches.disable(key, { actor: 'bola', reason: 'again', atMs: T + 1 })).toEqual(DISABLING);
  expect(await stateOf(key)).toMatchObject({ disabled: DISABLING });
});

test('enabling an enabled provider changes nothing and writes no row', async () => {
  const key = newProvider();

  expect(await switches.enable(key, T + 1_000)).toBeUndefined();
  expect(await local.rowOf(key)).toBeUndefined();
});

test('no write of the breaker enables a disabled provider', async () => {
  const key = newProvider();
  await failAt(key, T);
  await switches.disable(key, DISABLING);
  const isDisabled = async () => expect((await stateOf(key)).disabled).toEqual(DISABLING);

  await states.recordRecovery(key, { startedMs: T + 1, endedMs: T + 2 });
  expect((await stateOf(key)).breaker).toBe('closed');
  await isDisabled();
  await failAt(key, T + 1_000);
  expect((await stateOf(key)).breaker).toBe('suspect');
  await isDisabled();
  await openAt(key, T + 20_000);
  expect((await stateOf(key)).breaker).toBe('open');
  await isDisabled();
  await states.recordRecovery(key, { startedMs: T + 30_000, endedMs: T + 30_100 });
  expect((await stateOf(key)).breaker).toBe('closed');
  await isDisabled();
});

test('a request that read the state before the provider was disabled may not probe', async () => {
  const key = newProvider();
  await openAt(key, T);
  const seen = await stateOf(key);
  await switches.disable(key, DISABLING);

  expect(await states.takeProbe(key, seen, T + 10_000)).toBe(false);
  expect((await stateOf(key)).probedAtMs).toBe(seen.probedAtMs);
  await switches.enable(key, T + 1_000);
  expect(await states.takeProbe(key, seen, T + 10_000)).toBe(true);
});

test('enabling leaves the breaker and its counts unchanged', async () => {
  const key = newProvider();
  await openAt(key, T);
  const before = await stateOf(key);
  await switches.disable(key, DISABLING);
  await switches.enable(key, T + 1_000);

  expect(before).toMatchObject({ breaker: 'open', failures: 20, streak: 20 });
  expect(await stateOf(key)).toEqual(before);
});
