import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProviderKey } from '../../shared/core/keys.ts';
import {
  type RegistryStateTable,
  registryStateTable,
} from '../../shared/registries/health/registry-state-table.ts';
import { openStateTables, type StateTables } from '../registries/state-tables.ts';

/** A clock of our own: nothing here waits. Aligned to a window's start. */
const T = 1_700_000_000_000;

let tables: StateTables;
let table: RegistryStateTable;
let drawn = 0;
beforeAll(async () => {
  tables = await openStateTables();
  table = registryStateTable(tables.client, tables.tableName);
});
afterAll(() => tables.close());

function somewhere(): ProviderKey {
  drawn += 1;
  return { provider: `provider${drawn}`, env: 'live' };
}
async function stateOf(place: ProviderKey) {
  const [state] = await table.getStates([place]);
  return state;
}
const failAt = (place: ProviderKey, atMs: number, successes = 0) =>
  table.noteFailure(place, { startedMs: atMs - 10, nowMs: atMs, successes });
async function openAt(place: ProviderKey, atMs: number) {
  for (let failures = 0; failures < 20; failures += 1) await failAt(place, atMs);
}

test('the first failure makes a provider suspect, and an answer closes it again', async () => {
  const place = somewhere();
  await failAt(place, T);
  expect(await stateOf(place)).toMatchObject({ breaker: 'suspect', sinceMs: T, probedAtMs: T, streak: 1 });

  await table.recordOutcome(place, { startedMs: T + 1, nowMs: T + 2 });
  expect(await stateOf(place)).toMatchObject({ breaker: 'closed', sinceMs: T + 2, streak: 0 });
});

test('twenty failures of many instances at once are all counted, and open it once', async () => {
  const place = somewhere();
  await Promise.all(Array.from({ length: 20 }, (_, instance) => failAt(place, T + instance)));

  const state = await stateOf(place);
  expect(state).toMatchObject({ breaker: 'open', windowMs: T, failures: 20 });
  expect(state?.sinceMs).toBeGreaterThanOrEqual(T);
});

test('twenty failures that are less than half of what was told do not open it', async () => {
  const place = somewhere();
  await failAt(place, T, 21);
  for (let failures = 1; failures < 20; failures += 1) await failAt(place, T);

  expect(await stateOf(place)).toMatchObject({ breaker: 'suspect', failures: 20, successes: 21 });
});

test('failures of different windows are not added up', async () => {
  const place = somewhere();
  for (let failures = 0; failures < 19; failures += 1) await failAt(place, T + 4_999);
  await failAt(place, T + 10_000);

  expect(await stateOf(place)).toMatchObject({ windowMs: T + 10_000, failures: 1 });
});

test('five failures without an answer open it though they are slow to come', async () => {
  const place = somewhere();
  for (const second of [0, 20, 40, 60]) await failAt(place, T + second * 1_000);
  expect(await stateOf(place)).toMatchObject({ breaker: 'suspect' });
  await failAt(place, T + 80_000);
  expect(await stateOf(place)).toMatchObject({ breaker: 'open', sinceMs: T + 80_000 });
});

test('of many requests that see a probe due, one is let through', async () => {
  const place = somewhere();
  await openAt(place, T);
  const seen = await stateOf(place);
  if (!seen) throw new Error('There is no state.');
  const tries = Array.from({ length: 10 }, () => table.takeProbe(place, seen, T + 10_000));

  expect((await Promise.all(tries)).filter((won) => won)).toHaveLength(1);
  expect(await stateOf(place)).toMatchObject({ breaker: 'open', sinceMs: T, probedAtMs: T + 10_000 });
});

test('a probe that fails leaves it open; one that is answered closes it', async () => {
  const place = somewhere();
  await openAt(place, T);
  await failAt(place, T + 10_500);
  expect(await stateOf(place)).toMatchObject({ breaker: 'open', sinceMs: T });
  await table.recordOutcome(place, { startedMs: T + 11_000, nowMs: T + 11_200 });
  expect(await stateOf(place)).toMatchObject({ breaker: 'closed', sinceMs: T + 11_200 });
});

test('news of a call that began before the recovery is old', async () => {
  const place = somewhere();
  await failAt(place, T);
  await table.recordOutcome(place, { startedMs: T + 1_000, nowMs: T + 2_000 });
  await table.noteFailure(place, { startedMs: T + 1_500, nowMs: T + 3_000, successes: 0 });
  expect(await stateOf(place)).toMatchObject({ breaker: 'closed', failures: 1 });

  await table.noteFailure(place, { startedMs: T + 2_500, nowMs: T + 3_000, successes: 0 });
  expect(await stateOf(place)).toMatchObject({ breaker: 'suspect', failures: 2 });
});

test('an answer to a call that began before the trouble proves nothing', async () => {
  const place = somewhere();
  await failAt(place, T);
  await table.recordOutcome(place, { startedMs: T - 1, nowMs: T + 5 });

  expect(await stateOf(place)).toMatchObject({ breaker: 'suspect' });
});

test('a clock that runs behind counts into the window in force', async () => {
  const place = somewhere();
  await failAt(place, T + 10_000);
  await failAt(place, T + 9_990);

  expect(await stateOf(place)).toMatchObject({ windowMs: T + 10_000, failures: 2 });
});

test('live and test have states of their own', async () => {
  const place = somewhere();
  await failAt(place, T);

  expect(await stateOf({ ...place, env: 'test' })).toMatchObject({ breaker: 'closed' });
});
