import { describe, expect, test } from '@jest/globals';
import { DAY_MS } from '../../../shared/core/clock.ts';
import {
  type BalanceDay,
  balanceDays,
  dailyUse,
  firstDayShown,
  runsOutOn,
} from '../../../shared/usage/run-out.ts';

const TODAY = '2026-11-23';

/** Returns days up to the day before `TODAY`, with the credits used on each. The first begins with 1,000 credits. */
function daysWith(...used: readonly number[]): BalanceDay[] {
  let balance = 1_000;
  return used.map((amount, index) => {
    balance -= amount;
    const day = new Date(Date.parse(TODAY) - (used.length - index) * DAY_MS).toISOString().slice(0, 10);
    return { day, balance, used: amount };
  });
}

describe('the days of the balance chart', () => {
  test('are the last 30, ending with today and the current balance', () => {
    const rows = [...daysWith(...Array(40).fill(1)), { day: TODAY, balance: 7, used: 2 }];
    const days = balanceDays(rows, { day: TODAY, balance: 5 });
    expect(days).toHaveLength(30);
    expect(days[0]?.day).toBe(firstDayShown(TODAY));
    expect(days[0]?.day).toBe('2026-10-25');
    expect(days.at(-1)).toEqual({ day: TODAY, balance: 5, used: 2 });
  });

  test('before the first row are missing, and later ones without a row keep the balance', () => {
    const rows = [{ day: '2026-11-20', balance: 90, used: 10 }];
    expect(balanceDays(rows, { day: TODAY, balance: 80 })).toEqual([
      { day: '2026-11-20', balance: 90, used: 10 },
      { day: '2026-11-21', balance: 90, used: 0 },
      { day: '2026-11-22', balance: 90, used: 0 },
      { day: TODAY, balance: 80, used: 0 },
    ]);
    expect(balanceDays([], { day: TODAY, balance: 0 })).toEqual([{ day: TODAY, balance: 0, used: 0 }]);
  });

  test('begin with the balance of the last row before them', () => {
    const rows = [
      { day: '2026-10-02', balance: 50, used: 1 },
      { day: '2026-10-01', balance: 51, used: 1 },
    ];
    const days = balanceDays(rows, { day: TODAY, balance: 50 });
    expect(days).toHaveLength(30);
    expect(new Set(days.map(({ balance }) => balance))).toEqual(new Set([50]));
  });

  test('on 1 March begin with 31 January', () => {
    expect(firstDayShown('2027-03-01')).toBe('2027-01-31');
  });
});

describe('the daily use', () => {
  test.each<[string, readonly number[], number | null]>([
    ['is not known without days', [], null],
    ['is not known without use', Array(30).fill(0), null],
    ['is not known in the first 6 days', [0, 0, 0, 5, 5, 5, 5, 5, 5], null],
    ['is the mean since the first use after 7 days', [0, 0, 0, 7, 0, 0, 0, 0, 0, 7], 2],
    ['is the mean of the last 14 days', [900, ...Array(14).fill(3)], 3],
    ['counts days without use', [14, ...Array(13).fill(0)], 1],
    ['is 0 if nothing was used for 14 days', [50, ...Array(14).fill(0)], 0],
  ])('%s', (_, used, expected) => {
    expect(dailyUse(daysWith(...used), TODAY)).toBe(expected);
  });

  test('excludes today, because it is not over', () => {
    expect(dailyUse([...daysWith(...Array(7).fill(4)), { day: TODAY, balance: 0, used: 400 }], TODAY)).toBe(
      4,
    );
  });
});

describe('the day on which the wallet is empty', () => {
  test.each<[string, number, number | null, string | null]>([
    ['is not known without a use', 100, null, null],
    ['is not known if nothing is used', 100, 0, null],
    ['is today if less than a day is left', 9, 10, TODAY],
    ['is tomorrow if one day is left', 10, 10, '2026-11-24'],
    ['is in the next month', 105, 10, '2026-12-03'],
    ['is at most a year away', 365, 1, '2027-11-23'],
    ['is not shown if it is later', 366, 1, null],
    ['is today if the wallet is empty', 0, 10, TODAY],
  ])('%s', (_, available, perDay, expected) => {
    expect(runsOutOn(available, perDay, TODAY)).toBe(expected);
  });
});
