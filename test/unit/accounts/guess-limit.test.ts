import { describe, expect, test } from '@jest/globals';
import {
  allowedInProgress,
  guessRetryAfterSeconds,
  MISS_LIMIT,
  missesAt,
} from '../../../shared/accounts/guess-limit.ts';
import { MAX_NETWORKS, networkChange } from '../../../shared/accounts/key-usage.ts';
import { type LimitedRequest, requestUpdate } from '../../../shared/accounts/limiter-row.ts';
import { staleAttributes, total, type WindowedCounter } from '../../../shared/accounts/windowed-counter.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const DEFAULT_RATE = { perSecond: 10, burst: 20 };
const TEN_TIMES = { perSecond: 100, burst: 200 };

/** Returns a row with this many misses that still count, and this many records found in the current window. */
const rowOf = (misses: number, found = 0) => ({
  missTatMs: NOW + misses * 10_000,
  [`f${Math.floor(NOW / 600_000)}`]: found,
});

describe('the number of look-ups that may be in progress', () => {
  test.each([
    ['no misses', 0, 90],
    ['25 misses', 25, 50],
    ['50 misses', 50, 10],
    ['59 misses', 59, 1],
    ['59.5 misses', 59.5, 0],
    ['all 60 misses', 60, 0],
    ['more misses than allowed', 90, -30],
  ])('follows from the misses at the default rate: %s', (_, misses, allowed) => {
    expect(allowedInProgress(rowOf(misses), DEFAULT_RATE, NOW)).toBe(allowed);
  });

  test.each([
    ['none', 0, 90],
    ['100', 100, 190],
    ['more than the rate can start in 7 s', 5000, 900],
  ])('grows with the records found at ten times the default rate: %s', (_, found, allowed) => {
    expect(allowedInProgress(rowOf(0, found), TEN_TIMES, NOW)).toBe(allowed);
  });

  test('does not grow with the records found at the default rate', () => {
    expect(allowedInProgress(rowOf(0, 5000), DEFAULT_RATE, NOW)).toBe(90);
  });
});

describe('misses', () => {
  test.each([
    ['none', 0, 0],
    ['one that has expired', NOW - 1, 0],
    ['1.5', NOW + 15_000, 1.5],
    ['a time that only a wrong clock can have written', NOW + DAY_MS + 1, 0],
  ])('that still count: %s', (_, tatMs, misses) => {
    expect(missesAt(tatMs, NOW, MISS_LIMIT)).toBe(misses);
  });

  test.each([
    ['at the limit', NOW + 600_000, 10],
    ['30 beyond the limit', NOW + 900_000, 310],
    ['below the limit, with too many look-ups in progress', NOW, 2],
  ])('determine the wait: %s', (_, tatMs, seconds) => {
    expect(guessRetryAfterSeconds(tatMs, NOW, MISS_LIMIT)).toBe(seconds);
  });
});

describe('a counter with windows', () => {
  const COUNTER: WindowedCounter = { letter: 'x', windowMs: 1000, windows: 2 };

  test('counts only the last two windows, and lists earlier ones for removal', () => {
    const row = { pk: 'x1', x98: 1, x99: 2, x100: 4, x101: 8, xy: 16, x: 32 };

    expect(total(COUNTER, row, 100_999)).toBe(14);
    expect(staleAttributes([COUNTER], row, 100_999)).toEqual(['x98']);
  });

  test('does not let a negative count hide others', () => {
    expect(total(COUNTER, { x99: -5, x100: 4 }, 100_000)).toBe(4);
  });
});

describe('a request that read the row before a request of the previous second was counted', () => {
  const request = (row: LimitedRequest['row']): LimitedRequest => ({
    keyHash: 'hash',
    rate: TEN_TIMES,
    isGuessLimited: true,
    network: undefined,
    row,
    organisationRow: {},
  });
  const [current, before] = [0, 1].map((ago) => `p${NOW / 1000 - ago}`);
  /** Returns the largest numbers of look-ups in this second and in the previous one for which the update applies. */
  const boundsOf = (row: LimitedRequest['row']) => {
    const { ConditionExpression, ExpressionAttributeValues: values } = requestUpdate(
      request(row),
      row,
      { startedAtMs: [], found: 0 },
      NOW,
    );
    expect(ConditionExpression).toContain(`${current} <= :room`);
    expect(ConditionExpression).toContain(`${before} <= :before`);
    return [Number(values[':room']), Number(values[':before'])];
  };

  test.each([
    ['a key without misses', {}, 90],
    ['40 look-ups in progress', { [`p${NOW / 1000 - 1}`]: 40 }, 90],
    ['room for one', { missTatMs: NOW + 590_000 }, 1],
  ])('never exceeds the limit for both seconds together: %s', (_, row, allowed) => {
    const [room, earlier] = boundsOf(row);

    expect(Number(room) + 1 + Number(earlier)).toBeLessThanOrEqual(allowed);
    expect(Number(room)).toBeGreaterThanOrEqual(0);
  });

  test('is counted at the first attempt if the key has few look-ups in progress', () => {
    expect(boundsOf({})[1]).toBeGreaterThan(30);
  });
});

describe('the networks of a row with too many networks', () => {
  const today = Math.floor(NOW / DAY_MS);
  const networks = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [`n${index}`, today - 25 + index]),
  );

  test.each([
    ['a new network', 'new', MAX_NETWORKS - 1],
    ['a known network', 'n24', MAX_NETWORKS],
  ])('are reduced to the limit by a request from %s', (_, network, left) => {
    const { removes, names } = networkChange({ networks }, network, NOW);
    const removed = removes.map((path) => names[path.slice('networks.'.length)]);

    expect(removed).toEqual(Object.keys(networks).slice(0, 25 - left));
    expect(removed).not.toContain(network);
  });
});
