import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProviderKey } from '../../shared/core/keys.ts';
import {
  type RegistryStateTable,
  registryStateTable,
} from '../../shared/registries/health/registry-state-table.ts';
import { openStateTable, type StateTable } from '../registries/local-state-table.ts';

/** The tests pass times explicitly. This time is the start of a window. */
const T = 1_700_000_000_000;

let local: StateTable;
let table: RegistryStateTable;
let providers = 0;
beforeAll(async () => {
  local = await openStateTable();
  table = registryStateTable(local.client, local.tableName);
});
afterAll(() => local.close());

function newProvider(): ProviderKey {
  providers += 1;
  return { provider: `provider${providers}`, env: 'live', idType: 'NIN' };
}
async function stateOf(key: ProviderKey) {
  const [state] = await table.getStates([key]);
  return state;
}
const failAt = (key: ProviderKey, atMs: number, successes = 0) =>
  table.recordFailure(key, { startedMs: atMs - 10, endedMs: atMs, successes });
async function openAt(key: ProviderKey, atMs: number) {
  for (let failures = 0; failures < 20; failures += 1) await failAt(key, atMs);
}

test('the first failure makes the breaker suspect, and a success closes it again', async () => {
  const key = newProvider();
  await failAt(key, T);
  expect(await stateOf(key)).toMatchObject({ breaker: 'suspect', sinceMs: T, probedAtMs: T, streak: 1 });

  await table.recordRecovery(key, { startedMs: T + 1, endedMs: T + 2 });
  expect(await stateOf(key)).toMatchObject({ breaker: 'closed', sinceMs: T + 2, streak: 0 });
});

test('concurrent failures on twenty instances are all counted and open the breaker once', async () => {
  const key = newProvider();
  await Promise.all(Array.from({ length: 20 }, (_, instance) => failAt(key, T + instance)));

  const state = await stateOf(key);
  expect(state).toMatchObject({ breaker: 'open', windowMs: T, failures: 20 });
  expect(state?.sinceMs).toBeGreaterThanOrEqual(T);
});

test('twenty failures do not open the breaker if they are fewer than half of the look-ups', async () => {
  const key = newProvider();
  await failAt(key, T, 21);
  for (let failures = 1; failures < 20; failures += 1) await failAt(key, T);

  expect(await stateOf(key)).toMatchObject({ breaker: 'suspect', failures: 20, successes: 21 });
});

test('failures in different windows are not added up', async () => {
  const key = newProvider();
  for (let failures = 0; failures < 19; failures += 1) await failAt(key, T + 4_999);
  await failAt(key, T + 10_000);

  expect(await stateOf(key)).toMatchObject({ windowMs: T + 10_000, failures: 1 });
});

test('five failures without a success open the breaker even at low traffic', async () => {
  const key = newProvider();
  for (const second of [0, 20, 40, 60]) await failAt(key, T + second * 1_000);
  expect(await stateOf(key)).toMatchObject({ breaker: 'suspect' });
  await failAt(key, T + 80_000);
  expect(await stateOf(key)).toMatchObject({ breaker: 'open', sinceMs: T + 80_000 });
});

test('only one of many concurrent requests may probe', async () => {
  const key = newProvider();
  await openAt(key, T);
  const seen = await stateOf(key);
  if (!seen) throw new Error('There is no state.');
  const attempts = Array.from({ length: 10 }, () => table.takeProbe(key, seen, T + 10_000));

  expect((await Promise.all(attempts)).filter((won) => won)).toHaveLength(1);
  expect(await stateOf(key)).toMatchObject({ breaker: 'open', sinceMs: T, probedAtMs: T + 10_000 });
});

test('a failed probe leaves the breaker open, and a successful one closes it', async () => {
  const key = newProvider();
  await openAt(key, T);
  await failAt(key, T + 10_500);
  expect(await stateOf(key)).toMatchObject({ breaker: 'open', sinceMs: T });
  await table.recordRecovery(key, { startedMs: T + 11_000, endedMs: T + 11_200 });
  expect(await stateOf(key)).toMatchObject({ breaker: 'closed', sinceMs: T + 11_200 });
});

test('the failure of a call that started before the recovery is ignored', async () => {
  const key = newProvider();
  await failAt(key, T);
  await table.recordRecovery(key, { startedMs: T + 1_000, endedMs: T + 2_000 });
  await table.recordFailure(key, { startedMs: T + 1_500, endedMs: T + 3_000, successes: 0 });
  expect(await stateOf(key)).toMatchObject({ breaker: 'closed', failures: 1 });

  await table.recordFailure(key, { startedMs: T + 2_500, endedMs: T + 3_000, successes: 0 });
  expect(await stateOf(key)).toMatchObject({ breaker: 'suspect', failures: 2 });
});

test('the success of a call that started before the failure does not close the breaker', async () => {
  const key = newProvider();
  await failAt(key, T);
  await table.recordRecovery(key, { startedMs: T - 1, endedMs: T + 5 });

  expect(await stateOf(key)).toMatchObject({ breaker: 'suspect' });
});

test('a failure recorded by an instance whose clock is behind counts in the current window', async () => {
  const key = newProvider();
  await failAt(key, T + 10_000);
  await failAt(key, T + 9_990);

  expect(await stateOf(key)).toMatchObject({ windowMs: T + 10_000, failures: 2 });
});

test('live and test have separate states', async () => {
  const key = newProvider();
  await failAt(key, T);

  expect(await stateOf({ ...key, env: 'test' })).toMatchObject({ breaker: 'closed' });
});

test('the banks of failures are kept until a success, or a minute without a failure', async () => {
  const key: ProviderKey = { ...newProvider(), idType: 'NUBAN' };
  const failFor = (atMs: number, ...bankCodes: string[]) =>
    table.recordFailure(key, { startedMs: atMs, endedMs: atMs, successes: 0, bankCodes });
  await failFor(T, '044');
  await failFor(T + 10_000, '058');
  expect((await stateOf(key))?.banks).toEqual(new Set(['044', '058']));
  await failFor(T + 90_000, '011', '033', '057', '070');
  expect(await stateOf(key)).toMatchObject({
    breaker: 'closed',
    banks: new Set(['011', '033', '057', '070']),
  });
  await failFor(T + 90_000, '044');
  expect(await stateOf(key)).toMatchObject({ breaker: 'suspect' });
  await table.recordRecovery(key, { startedMs: T + 90_001, endedMs: T + 90_002 });
  expect(await stateOf(key)).not.toHaveProperty('banks');
});
