import { describe, expect, test } from '@jest/globals';
import { describe as described, isWithin } from '../../../shared/accounts/rate-limit.ts';

/** 10 requests per second (one per 100 ms), with a burst of 20. */
const LIMIT = { perSecond: 10, burst: 20 };
const NOW = 1_000_000;

describe('the rate limit (GCRA)', () => {
  test.each([
    ['a key without requests', 0, true],
    ['the last request of the burst', NOW + 1900, true],
    ['one request more', NOW + 1901, false],
    ['two bursts ahead', NOW + 4000, false],
    ['more than two bursts ahead, which is corrupt', NOW + 4001, true],
  ])('decides by the theoretical arrival time: %s', (_, tatMs, admitted) => {
    expect(isWithin(tatMs, NOW, LIMIT)).toBe(admitted);
  });

  test.each([
    ['after the first request', true, NOW + 100, { remaining: 19, resetSeconds: 1, retryAfterSeconds: 0 }],
    ['after the whole burst', true, NOW + 2000, { remaining: 0, resetSeconds: 2, retryAfterSeconds: 0 }],
    [
      'when the request is rejected',
      false,
      NOW + 2000,
      { remaining: 0, resetSeconds: 2, retryAfterSeconds: 1 },
    ],
  ])('reports the remaining requests: %s', (_, allowed, tatMs, expected) => {
    expect(described(allowed, tatMs, NOW, LIMIT)).toEqual({ allowed, ...expected });
  });
});
