import { expect, test } from '@jest/globals';
import { type Line, timesOf } from './goals/goal.ts';
import { inTurn, ratioOf, spreadOf } from './measure.ts';
import { goalsTable, mergedRounds, mergedTable, roundsList } from './table.ts';

const ratio: Line = timesOf('reference', {
  ...{ goal: '6', what: 'work', goalValue: 0.8, failsAt: 1 },
  measured: ratioOf([3, 2, 4], [4, 4, 5]),
});
const absolute: Line = {
  ...{ goal: '15a', what: 'a page', reference: 'absolute', unit: 'ms', goalValue: 300, failsAt: 900 },
  measured: spreadOf([12, 11, 13]),
};

test('a ratio is the median of the pairs, next to the ratio of the two smallest values', () => {
  expect(ratio.measured).toMatchObject({ median: 0.75, min: 0.5, max: 0.8, ofMinima: 0.5 });
  expect(goalsTable([ratio])).toContain('| 0.75 [0.50 to 0.80], minima 0.50 | met |');
});

test('the list of rounds contains every value, and a partial run keeps the other goals', () => {
  const list = roundsList([ratio, absolute]);
  expect(list).toBe('- 6: 3, 2, 4; against 4, 4, 5\n- 15a: 12, 11, 13');
  const again = { ...ratio, measured: ratioOf([1, 1.5], [2, 2]) };
  const merged = mergedRounds(roundsList([again]), list, [again]);
  expect(merged).toBe('- 6: 1, 1.50; against 2, 2\n- 15a: 12, 11, 13');
  // A list below the table does not change the table's rows.
  const page = `${goalsTable([ratio, absolute])}\n\n${list}`;
  expect(mergedTable(goalsTable([again]), page).split('\n')).toHaveLength(4);
});

test('variants are measured in turn, in reverse order in every second round; the first round does not count', async () => {
  const order: string[] = [];
  const taken = await inTurn(['a', 'b'], 2, async (variant) => order.push(variant));
  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
  expect(taken).toEqual({ a: [4, 5], b: [3, 6] });
});
