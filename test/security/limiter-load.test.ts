import { describe, expect, test } from '@jest/globals';
import type { RateLimit } from '../../shared/accounts/organisation.ts';
import { intervalMs } from '../../shared/accounts/rate-limit.ts';
import { seededRandom } from '../ledger/simulation/random.ts';
import { runLoad, type Served } from './limiter-load.ts';

/** Requests with one key on several function instances: what the limiter allows, and how many calls it makes. */

const DEFAULT: RateLimit = { perSecond: 10, burst: 20 };
const TEN_TIMES: RateLimit = { perSecond: 100, burst: 200 };
const FAST: RateLimit = { perSecond: 1_000, burst: 1_000 };

/** Returns the times of random requests at this mean rate. */
function randomTimes(perSecond: number, seconds: number, seed: number): number[] {
  const random = seededRandom(seed);
  const times: number[] = [];
  let atMs = 0;
  while (atMs < seconds * 1000) {
    times.push(atMs);
    atMs += (1000 / perSecond) * -Math.log(1 - random.next());
  }
  return times;
}

/** Returns the times of `count` bursts of `size` requests each. */
const bursts = (size: number, everyMs: number, count: number) =>
  Array.from({ length: size * count }, (_, index) => Math.floor(index / size) * everyMs);

const allowedOf = (served: readonly Served[]) => served.filter(({ decision }) => decision.allowed);
const updatesPerRequest = (served: readonly Served[]) =>
  served.reduce((sum, { updates }) => sum + updates, 0) / served.length;

/**
 * Returns the largest number of requests that were allowed in any interval, minus `perSecond` × its length, by the
 * clocks that counted them. If the limiter is exact, this is the burst.
 */
function largestBurst(served: readonly Served[], rate: RateLimit): number {
  const times = allowedOf(served).map(({ decidedAtMs }) => decidedAtMs);
  let [least, largest] = [Number.POSITIVE_INFINITY, 0];
  for (const [index, timeMs] of times.sort((a, b) => a - b).entries()) {
    const beyond = index - timeMs / intervalMs(rate);
    least = Math.min(least, beyond);
    largest = Math.max(largest, beyond - least + 1);
  }
  return largest;
}

describe('requests with one key, one after another', () => {
  test.each([
    ['an idle key', DEFAULT, 500],
    ['a key at half of its rate', DEFAULT, 200],
    ['a key at its rate', DEFAULT, 100],
    ['a key at half of ten times the default rate', TEN_TIMES, 20],
    ['a key at a tenth of a high rate', FAST, 20],
  ])('make exactly one update each, whichever instance serves them: %s', async (_, rate, everyMs) => {
    const sentMs = Array.from({ length: 200 }, (_, index) => index * Math.max(everyMs, 20));
    const served = await runLoad({ seed: 1, rate, sentMs, skewMs: 5 });

    expect(served.map(({ updates }) => updates)).toEqual(sentMs.map(() => 1));
    expect(allowedOf(served)).toHaveLength(sentMs.length);
  });
});

describe('concurrent requests with one key', () => {
  test.each([
    ['the default rate, half used', DEFAULT, 5],
    ['the default rate, most of it used', DEFAULT, 8],
    ['ten times the default rate, a fifth used', TEN_TIMES, 20],
    ['ten times the default rate, half used', TEN_TIMES, 50],
    ['ten times the default rate, most of it used', TEN_TIMES, 80],
    ['a high rate, a fifth used', FAST, 200],
    ['a high rate, most of it used', FAST, 800],
  ])('make on average at most 1.06 updates each, and never more than two: %s', async (_, rate, perSecond) => {
    const sentMs = randomTimes(perSecond, 1_000 / perSecond, 7);
    const served = await runLoad({ seed: 7, rate, sentMs, skewMs: 2 });

    expect(updatesPerRequest(served)).toBeLessThanOrEqual(1.06);
    expect(Math.max(...served.map(({ updates }) => updates))).toBeLessThanOrEqual(2);
    expect(allowedOf(served)).toHaveLength(served.length);
  });

  test.each([0, 60, 110, 130, 170, 1_000])(
    'are allowed up to exactly the burst, %i ms after another request',
    async (afterMs) => {
      const served = await runLoad({
        seed: 3,
        rate: DEFAULT,
        sentMs: [0, ...Array.from({ length: 60 }, () => afterMs)],
        skewMs: 2,
      });
      const before = afterMs < intervalMs(DEFAULT) ? 0 : 1;

      expect(allowedOf(served)).toHaveLength(DEFAULT.burst + before);
    },
  );
});

describe('random loads on instances that freeze and have wrong clocks', () => {
  const RATES = [
    DEFAULT,
    TEN_TIMES,
    FAST,
    { perSecond: 5, burst: 10 },
    { perSecond: 1, burst: 1 },
    { perSecond: 50, burst: 20 },
    { perSecond: 1_000, burst: 400 },
  ] as const;
  const SEEDS = Array.from({ length: 40 }, (_, index) => index + 1);

  function planOf(seed: number) {
    const random = seededRandom(seed);
    const rate = random.pick(RATES);
    const share = 0.1 * 50 ** random.next();
    const times = randomTimes(rate.perSecond * share, 200 / (rate.perSecond * share), seed);
    const size = random.between(2, Math.min(100, 2 * rate.burst));
    const peaks = bursts(size, random.between(10, 2_000), random.between(1, 3));
    const sentMs = [...times, ...peaks].sort((a, b) => a - b);
    return { seed, rate, sentMs, skewMs: random.between(0, 50), freezeMs: random.between(0, 200) };
  }

  test.each(SEEDS)(
    'exceed the burst by at most what the rate allows in 50 ms, or a fortieth of the burst if that is less: seed %i',
    async (seed) => {
      const plan = planOf(seed);
      const served = await runLoad(plan);
      const { perSecond, burst } = plan.rate;
      const excess = Math.min(0.05 * perSecond, burst / 40);

      expect(served).toHaveLength(plan.sentMs.length);
      // A time in milliseconds since 1970 has a rounding error of up to a quarter of a microsecond.
      expect(largestBurst(served, plan.rate)).toBeLessThanOrEqual(burst + excess + 0.01);
    },
  );
});
