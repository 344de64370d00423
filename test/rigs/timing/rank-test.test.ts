import { expect, test } from '@jest/globals';
import { seededRandom } from '../../ledger/simulation/random.ts';
import { rankTest } from './rank-test.ts';

const sampleOf = (seed: number, shift: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: 1000 }, () => Math.round(1000 * random.next()) + shift);
};

test('samples of one distribution rarely differ, and samples of shifted distributions do', () => {
  const ps = Array.from({ length: 40 }, (_, seed) => rankTest(sampleOf(seed, 0), sampleOf(seed + 1000, 0)).p);
  // By chance, one in a hundred is below 0.01.
  expect(ps.filter((p) => p < 0.01).length).toBeLessThanOrEqual(2);
  const shifted = rankTest(sampleOf(1, 60), sampleOf(2, 0));
  expect(shifted.p).toBeLessThan(0.001);
  expect(shifted.larger).toBeGreaterThan(0.5);
});

test('returns the result of the textbook example: 6 hares against 5 tortoises', () => {
  const { larger, p } = rankTest([1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11]);
  expect(larger).toBe(0);
  // z = -2.7386
  expect(p).toBeCloseTo(0.00617, 4);
});
