import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  addLatencies,
  bucketOf,
  bucketRange,
  countLatencies,
  type LatencyCounts,
  percentileMs,
} from '../../../shared/usage/latency.ts';

const counted = (latencies: readonly number[]): LatencyCounts =>
  addLatencies(latencies.map((ms) => ({ [String(bucketOf(ms))]: 1 })));

/** Returns the exact percentile by nearest rank. */
function exact(latencies: readonly number[], percent: number): number {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil((percent / 100) * sorted.length)) - 1] ?? Number.NaN;
}

const latency = fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 60_000 }));

describe('latency buckets', () => {
  test('follow each other without gaps, and each is 1 ms wide or at most a sixteenth of its lower end', () => {
    let end = 0;
    for (let bucket = 0; bucket <= bucketOf(60_000); bucket += 1) {
      const { fromMs, widthMs } = bucketRange(bucket);
      expect(fromMs).toBe(end);
      expect(widthMs === 1 || widthMs * 16 <= fromMs).toBe(true);
      expect([bucketOf(fromMs), bucketOf(fromMs + widthMs - 1)]).toEqual([bucket, bucket]);
      end = fromMs + widthMs;
    }
  });

  test('have the documented numbers', () => {
    expect([0, 31, 32, 33, 34, 799, 20_000].map(bucketOf)).toEqual([0, 31, 32, 32, 33, 104, 179]);
  });

  test('also count latencies that no request can have', () => {
    expect(bucketOf(-5)).toBe(0);
    expect(bucketOf(1e9)).toBe(bucketOf(2 ** 17 - 1));
  });
});

describe('latency percentiles', () => {
  test('are exact below 32 ms, and otherwise less than 6.25% off', () => {
    fc.assert(
      fc.property(
        fc.array(latency, { minLength: 1, maxLength: 300 }),
        fc.constantFrom(1, 50, 95, 99, 100),
        (latencies, percent) => {
          const wanted = exact(latencies, percent);
          const found = percentileMs(counted(latencies), percent) ?? Number.NaN;
          if (wanted < 32) expect(found).toBe(wanted);
          else expect(Math.abs(found - wanted)).toBeLessThan(wanted / 16);
        },
      ),
    );
  });

  test('can be computed from the sum of several counts', () => {
    fc.assert(
      fc.property(fc.array(latency), fc.array(latency), (a, b) => {
        const sum = addLatencies([counted(a), counted(b)]);
        expect(sum).toEqual(counted([...a, ...b]));
        expect(countLatencies(sum)).toBe(a.length + b.length);
      }),
    );
  });

  test('do not exist without requests', () => {
    expect(percentileMs({}, 95)).toBeNull();
  });
});
