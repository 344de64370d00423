import { beforeAll, describe, expect, test } from '@jest/globals';
import { logger } from '../../shared/core/logger.ts';
import { metricLog } from '../../shared/core/metrics.ts';
import { isComplete } from '../support/sample.ts';
import { BEHAVIOURS } from './plan.ts';
import { runLoad } from './simulation.ts';

/**
 * The real delivery code in virtual time: how many deliveries it sustains, and that endpoints do not delay each other.
 */

beforeAll(() => {
  Object.assign(logger, { info: () => {}, warn: () => {}, error: () => {} });
  metricLog.write = () => {};
});

const BATCH = 5;
const GOOD = Array.from({ length: 10 }, (_, index) => ({
  name: `good-${index}`,
  behaviour: 'steady' as const,
}));

describe('endpoints that fail', () => {
  test('do not change the times at which other endpoints receive their events', async () => {
    const bad = BEHAVIOURS.filter((one) => one !== 'ok').map((behaviour) => ({ name: behaviour, behaviour }));
    const eventsOf = (endpoints: number, from: number) =>
      Array.from({ length: 60 }, (_, second) =>
        Array.from({ length: endpoints }, (__, index) => ({
          atMs: second * 1_000 + index,
          endpoint: from + index,
        })),
      ).flat();
    const common = { instances: 40, batch: BATCH, lastsMs: 600_000 };
    const alone = await runLoad({ ...common, endpoints: GOOD, events: eventsOf(GOOD.length, 0) });
    const together = await runLoad({
      ...common,
      endpoints: [...GOOD, ...bad],
      events: [...eventsOf(GOOD.length, 0), ...eventsOf(bad.length, GOOD.length)],
    });
    for (const { name } of GOOD) {
      expect(together.receivedMs.get(name)).toEqual(alone.receivedMs.get(name));
      expect(alone.receivedMs.get(name)).toHaveLength(60);
    }
    // Of the failing endpoints, the slow one receives some of its events, and the others receive none.
    expect([...together.receivedMs.keys()].filter((name) => !name.startsWith('good'))).toEqual(['slow']);
  });
});

const LOADS = [
  [200, 40, 20],
  [1_000, 200, 8],
] as const;

describe.each(isComplete ? LOADS : LOADS.slice(0, 1))(
  '%i deliveries a second with %i instances',
  (rate, instances, seconds) => {
    test(`are sustained for ${seconds} s to receivers that take 200 ms`, async () => {
      // Each endpoint gets two deliveries a second, and can receive ten.
      const endpoints = Array.from({ length: rate / 2 }, (_, index) => ({
        name: `e${index}`,
        behaviour: 'steady' as const,
      }));
      const events = Array.from({ length: rate * seconds }, (_, index) => ({
        atMs: Math.floor((index * 1_000) / rate),
        endpoint: index % endpoints.length,
      }));
      const lastsMs = seconds * 1_000 + 2_000;
      const { tookMs } = await runLoad({ instances, batch: BATCH, endpoints, events, lastsMs });
      // Every event is received within 2 s, so no backlog builds up.
      expect(tookMs).toHaveLength(events.length);
      expect(Math.max(...tookMs)).toBeLessThan(2_000);
    }, 240_000);
  },
);
