import { describe, expect, test } from '@jest/globals';
import { describe as described, isCorrupt, isWithin } from '../../../shared/accounts/rate-limit.ts';

/** 10 requests a second, 20 at once: 100 ms between two. */
const LIMIT = { perSecond: 10, burst: 20 };
const NOW = 1_000_000;

describe('GCRA', () => {
  test.each([
    ['a key never seen', 0, true],
    ['the last place of the burst', NOW + 1900, true],
    ['one more', NOW + 1901, false],
    ['a time no clock of ours could have set', NOW + 4001, true],
  ])('lets in by the theoretical arrival time: %s', (_, tatMs, admitted) => {
    expect(isWithin(tatMs, NOW, LIMIT)).toBe(admitted);
  });

  test('a time more than two bursts ahead is corrupt', () => {
    expect([isCorrupt(NOW + 4000, NOW, LIMIT), isCorrupt(NOW + 4001, NOW, LIMIT)]).toEqual([false, true]);
  });

  test.each([
    ['after the first request', true, NOW + 100, { remaining: 19, resetSeconds: 1, retryAfterSeconds: 0 }],
    ['after the whole burst', true, NOW + 2000, { remaining: 0, resetSeconds: 2, retryAfterSeconds: 0 }],
    ['refused', false, NOW + 2000, { remaining: 0, resetSeconds: 2, retryAfterSeconds: 1 }],
  ])('tells what is left: %s', (_, allowed, tatMs, expected) => {
    expect(described(allowed, tatMs, NOW, LIMIT)).toEqual({ allowed, ...expected });
  });
});
