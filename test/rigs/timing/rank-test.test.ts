import { expect, test } from '@jest/globals';
import { seededRandom } from '../../ledger/simulation/random.ts';
import { rankTest } from './rank-test.ts';

const draws = (seed: number, shift: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: 1000 }, () => Math.round(1000 * random.next()) + shift);
};

test('two samples of the same differ by less than chance allows, shifted ones by more', () => {
  const ps = Array.from({ length: 40 }, (_, seed) => rankTest(draws(seed, 0), draws(seed + 1000, 0)).p);
  // By chance alone, one in a hundred is below 0.01.
  expect(ps.filter((p) => p < 0.01).length).toBeLessThanOrEqual(2);
  const shifted = rankTest(draws(1, 60), draws(2, 0));
  expect(shifted.p).toBeLessThan(0.001);
  expect(shifted.larger).toBeGreaterThan(0.5);
});

test('is the same as in the literature: 6 hares against 5 tortoises', () => {
  const { larger, p } = rankTest([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11]);
  expect(larger).toBe(0);
  // z = -2.7386
  expect(p).toBeCloseTo(0.00617, 4);
});
