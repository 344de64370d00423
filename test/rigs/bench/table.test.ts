import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Line, timesOf } from './goals/goal.ts';
import { inTurn, ratioOf, spreadOf } from './measure.ts';
import { goalsTable, merged, readRecorded, recordOf, withGoals } from './table.ts';

const ratio: Line = timesOf('reference', {
  ...{ goal: '6', what: 'work', goalValue: 0.8, failsAt: 1 },
  measured: ratioOf([3, 2, 4], [4, 4, 5]),
});
const absolute: Line = {
  ...{ goal: '15a', what: 'a page', reference: 'absolute', unit: 'ms', goalValue: 300, failsAt: 900 },
  measured: spreadOf([12, 11, 13]),
};

const on = (date: string) => ({ date, commit: 'abc1234', rounds: 9 });

test('a ratio is the median of the pairs, next to the ratio of the two smallest values', () => {
  expect(ratio.measured).toMatchObject({ median: 0.75, min: 0.5, max: 0.8, ofMinima: 0.5 });
  expect(goalsTable(recordOf([ratio], on('2026-11-26')))).toContain(
    '| 0.75 [0.50 to 0.80], minima 0.50 | met | 2026-11-26 |',
  );
});

test('a partial run keeps the rows of the other goals, with the date of their run', () => {
  const earlier = recordOf([absolute, ratio], on('2026-11-25'));
  const rows = merged(recordOf([ratio], on('2026-11-26')), earlier);
  expect(rows.map(({ goal, date }) => [goal, date])).toEqual([
    ['6', '2026-11-26'],
    ['15a', '2026-11-25'],
  ]);
});

test('docs/design/performance.md has the table of the recorded rows', () => {
  const page = readFileSync('docs/design/performance.md', 'utf8');
  expect(page).toBe(withGoals(page, readRecorded()));
});

test('variants are measured in turn, in reverse order in every second round; the first round does not count', async () => {
  const order: string[] = [];
  const taken = await inTurn(['a', 'b'], 2, async (variant) => order.push(variant));
  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
  expect(taken).toEqual({ a: [4, 5], b: [3, 6] });
});
