import { describe, expect, test } from '@jest/globals';
import { describe as described, isCorrupt, isWithin } from '../../../shared/accounts/rate-limit.ts';

/** 10 requests per second (one per 100 ms), with a burst of 20. */
const LIMIT = { perSecond: 10, burst: 20 };
const NOW = 1_000_000;

describe('the rate limit (GCRA)', () => {
  test.each([
    ['a key without requests', 0, true],
    ['the last request of the burst', NOW + 1900, true],
    ['one request more', NOW + 1901, false],
    ['a corrupt time', NOW + 4001, true],
  ])('decides by the theoretical arrival time: %s', (_, tatMs, admitted) => {
    expect(isWithin(tatMs, NOW, LIMIT)).toBe(admitted);
  });

  test('treats a time more than two bursts ahead as corrupt', () => {
    expect([isCorrupt(NOW + 4000, NOW, LIMIT), isCorrupt(NOW + 4001, NOW, LIMIT)]).toEqual([false, true]);
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
