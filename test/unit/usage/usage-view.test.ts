import { expect, test } from '@jest/globals';
import { periodOf, previousOf } from '../../../shared/usage/console/period.ts';
import { type UsageRows, usageView } from '../../../shared/usage/console/usage-view.ts';
import type { UsageRow } from '../../../shared/usage/rows.ts';

/** The period of the Usage page: which days it has, and what they cost if they are in several months. */

const NOW = Date.parse('2026-11-10T12:00:00Z');
const days = { from: '2026-10-30', to: '2026-11-02' };

const row = (day: string, credits: number): UsageRow => ({
  ...{ day, service: 'nin-basic', keyLabel: 'backend', requests: credits, credits },
  outcomes: { FOUND: { requests: credits, credits } },
  ...{ latency: {}, replays: 0, countedAt: '2026-11-10T11:00:00.000Z' },
});
const closed = {
  state: 'CLOSED',
  figures: { value: { earnedKobo: 1_000 }, credits: { charged: 10 } },
} as unknown as NonNullable<ReturnType<UsageRows['closings']['get']>>;

const read = (changes: Partial<UsageRows> = {}): UsageRows => ({
  rows: [row('2026-10-30', 4), row('2026-11-01', 3)],
  previousRows: [row('2026-10-28', 5)],
  ...{ balances: [], lots: [], state: undefined, koboPerCredit: 7 },
  closings: new Map([['2026-10', closed]]),
  ...changes,
});

test.each([
  [{}, { month: '2026-11', from: '2026-11-01', to: '2026-11-30' }],
  [{ month: '2026-02' }, { month: '2026-02', from: '2026-02-01', to: '2026-02-28' }],
  [days, days],
  [{ from: '2026-11-03' }, { from: '2026-11-03', to: '2026-11-10' }],
  [{ to: '2026-10-05' }, { from: '2026-10-01', to: '2026-10-05' }],
  [
    { from: '2026-11-03', to: '2027-01-01' },
    { from: '2026-11-03', to: '2026-11-10' },
  ],
])('the period of %j', (asked, period) => {
  expect(periodOf({ from: '', to: '', ...asked }, NOW)).toEqual(period);
});

test('a period is compared with the previous month, or with as many days before', () => {
  expect(previousOf(periodOf({ month: '2026-03', from: '', to: '' }, NOW))).toMatchObject({
    month: '2026-02',
  });
  expect(previousOf(days)).toEqual({ from: '2026-10-26', to: '2026-10-29' });
});

test('days of a closed and an open month cost a share of the revenue and an estimate', () => {
  const view = usageView('live', days, read(), NOW);
  expect(view).toMatchObject({ month: null, ...days, previous: { requests: 5, cost_kobo: 500 } });
  expect(view.days).toEqual(['2026-10-30', '2026-10-31', '2026-11-01', '2026-11-02']);
  expect(view.totals).toMatchObject({ credits: 7, cost_kobo: 4 * 100 + 3 * 7, is_closed: false });
  expect(view.by.service).toEqual([{ name: 'nin-basic', requests: [4, 0, 3, 0], credits: [4, 0, 3, 0] }]);
  expect(usageView('live', days, read({ koboPerCredit: undefined }), NOW).totals.cost_kobo).toBeNull();
});

test('a closed month costs its revenue, even if all its days are chosen', () => {
  const october = { from: '2026-10-01', to: '2026-10-31' };
  const rows = [row('2026-10-30', 4)];
  for (const period of [october, { ...october, month: '2026-10' }])
    expect(usageView('live', period, read({ rows }), NOW).totals).toMatchObject({
      cost_kobo: 1_000,
      is_closed: true,
    });
});
