import { describe, expect, test } from '@jest/globals';
import { HALVES, halfOf, PAIRS, readPairs } from './pairs.ts';

const pairs = readPairs(PAIRS);

describe('the labelled pairs', () => {
  test('there are at least 2,000, each with its own ID, a reason and a name on both sides', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(2_000);
    expect(new Set(pairs.map(({ id }) => id)).size).toBe(pairs.length);
    for (const { reason, claimed, registered } of pairs) {
      expect(reason).not.toBe('');
      expect(claimed.firstname).not.toBe('');
      expect(registered.firstname).not.toBe('');
    }
  });

  test.each(HALVES)('the %s half has about half of the pairs of each label', (half) => {
    const inHalf = pairs.filter((pair) => halfOf(pair) === half);
    for (const isSame of [true, false]) {
      const all = pairs.filter((pair) => pair.isSame === isSame).length;
      const share = inHalf.filter((pair) => pair.isSame === isSame).length / all;
      expect(share).toBeGreaterThan(0.45);
      expect(share).toBeLessThan(0.55);
    }
  });

  test('no pair with two equal sides is labelled different', () => {
    const equal = pairs.filter(
      ({ claimed, registered, isSame }) => !isSame && JSON.stringify(claimed) === JSON.stringify(registered),
    );
    expect(equal).toEqual([]);
  });
});
