import { beforeEach, describe, expect, test } from '@jest/globals';
import { registryDayTable } from '../../../shared/usage/registry-day-table.ts';
import type { UsageRow } from '../../../shared/usage/rows.ts';
import { usageTable } from '../../../shared/usage/usage-table.ts';
import { memoryClient, WALLET } from '../payments/memory-payments.ts';

let memory = memoryClient();
beforeEach(() => {
  memory = memoryClient();
});

const [EARLIER, LATER] = ['2026-11-23T10:00:00.000Z', '2026-11-23T11:00:00.000Z'];

function row(day: string, requests = 1, keyLabel = 'backend'): UsageRow {
  const outcomes = { FOUND: { requests, credits: requests } };
  const counts = { requests, credits: requests, replays: 0, outcomes, latency: { '40': requests } };
  return { day, service: 'nin-basic', keyLabel, ...counts, countedAt: EARLIER };
}

describe('usage', () => {
  const table = () => usageTable(memory.client, 'Console');

  test('of a month includes every day of it, and no day of another month', async () => {
    const days = Array.from({ length: 31 }, (_, day) => `2026-10-${String(day + 1).padStart(2, '0')}`);
    const rows = [...days, '2026-09-30', '2026-11-01'].map((day) => row(day));
    for (const one of rows) expect(await table().putUsage(WALLET, one)).toBe(true);

    expect((await table().readMonth(WALLET, '2026-10')).map(({ day }) => day)).toEqual(days);
    const some = await table().readDays(WALLET, '2026-10-07', '2026-10-08');
    expect(some.map(({ day }) => day)).toEqual(['2026-10-07', '2026-10-08']);
    expect(await table().readMonth({ ...WALLET, env: 'test' }, '2026-10')).toEqual([]);
  });

  test('may have key labels that contain separators or letters of any script', async () => {
    for (const label of ['a#b', 'ẹ̀rọ', '~']) await table().putUsage(WALLET, row('2026-10-07', 1, label));
    expect((await table().readMonth(WALLET, '2026-10')).map(({ keyLabel }) => keyLabel)).toHaveLength(3);
  });

  test('is never replaced by an earlier count', async () => {
    const [before, after] = [row('2026-10-07', 1), { ...row('2026-10-07', 2), countedAt: LATER }];
    expect(await table().putUsage(WALLET, after)).toBe(true);
    expect(await table().putUsage(WALLET, before)).toBe(false);
    expect(await table().readMonth(WALLET, '2026-10')).toEqual([expect.objectContaining(after)]);
    expect(
      await table().putBalance(WALLET, { day: '2026-10-07', balance: 5, used: 2, countedAt: LATER }),
    ).toBe(true);
    expect(
      await table().putBalance(WALLET, { day: '2026-10-07', balance: 9, used: 0, countedAt: EARLIER }),
    ).toBe(false);
    expect(await table().readBalances(WALLET, ['2026-10', '2026-09'])).toEqual([
      { day: '2026-10-07', balance: 5, used: 2 },
    ]);
  });

  test('has the time up to which it is counted, which is read for many wallets at once', async () => {
    const other = { env: 'test', organisationId: 'bbbbbbbbbb' } as const;
    const state = { countedFrom: '2026-10-01', countedUntil: LATER, reviewedOn: '2026-10-07' };
    expect(await table().putState(WALLET, state)).toBe(true);
    expect(await table().putState(WALLET, { ...state, countedUntil: EARLIER })).toBe(false);
    expect(await table().readStates([WALLET, other])).toEqual(new Map([['live#aaaaaaaaaa', state]]));
    expect(await table().readState(other)).toBeUndefined();
  });
});

describe('daily rows of registries', () => {
  const table = () => registryDayTable(memory.client, 'Console');
  const put = (day: string, requests: number) =>
    table().putDay('NIN', { day, requests, failures: 0, latency: { '89': requests }, countedAt: EARLIER });

  test('have no percentile below 20 requests', async () => {
    await put('2026-10-06', 40);
    await put('2026-10-07', 19);
    await put('2026-10-08', 20);
    const days = await table().readRegistryDays(['NIN', 'BVN'], '2026-10-07');
    expect(days).toEqual([
      { idType: 'NIN', day: '2026-10-07', requests: 19, p95Ms: null },
      { idType: 'NIN', day: '2026-10-08', requests: 20, p95Ms: expect.any(Number) },
    ]);
  });
});
