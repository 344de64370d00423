import { describe, expect, test } from '@jest/globals';
import { guessRejection, MISS_LIMIT, missesOf } from '../../../shared/accounts/guess-limit.ts';
import { MAX_NETWORKS, networkChange } from '../../../shared/accounts/key-usage.ts';
import { staleAttributes, total, type WindowedCounter } from '../../../shared/accounts/windowed-counter.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('misses', () => {
  test.each([
    ['none', 0, 0],
    ['one that has expired', NOW - 1, 0],
    ['1.5', NOW + 15_000, 1.5],
    ['as many as a fast key can have in progress', NOW + 20_000 * 10_000, 20_000],
    ['a time that only a wrong clock can have written', NOW + 30 * DAY_MS + 1, 0],
  ])('that still count: %s', (_, missTatMs, misses) => {
    expect(missesOf({ missTatMs }, MISS_LIMIT, NOW)).toBe(misses);
  });

  test.each([
    ['one below the limit', NOW + 590_000, undefined],
    ['at the limit', NOW + 600_000, 10],
    ['30 beyond the limit', NOW + 900_000, 310],
  ])('determine the wait: %s', (_, missTatMs, seconds) => {
    const rejection = guessRejection({ key: { missTatMs }, organisation: {} }, NOW);
    expect(rejection?.retryAfterSeconds).toBe(seconds);
  });
});

describe('a counter with windows', () => {
  const COUNTER: WindowedCounter = { letter: 'x', windowMs: 1000, windows: 2 };

  test('counts only the last two windows, and lists earlier ones for removal', () => {
    const row = { pk: 'x1', x98: 1, x99: 2, x100: 4, x101: 8, xy: 16, x: 32 };

    expect(total(COUNTER, row, 100_999)).toBe(14);
    expect(staleAttributes([COUNTER], row, 100_999)).toEqual(['x98']);
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
