import { setTimeout as sleep } from 'node:timers/promises';
import { type BulkheadService, startBulkheadService } from '../../bulkheads/service.ts';
import { type Spread, spreadOf } from '../measure.ts';
import { type Line, timesOf } from './goal.ts';

const PHASE_MS = 8_000;
const LIVE_CLIENTS = 2;
/** The default rate of a key. */
const TEST_REQUESTS_PER_SECOND = 10;
const ALONE = 'the same without test traffic';

/**
 * Measures goal 12: the 95th percentile of the latency of live look-ups while one test key sends numbers that end in
 * 0504 at its default rate. Each occupies a function for 5 s.
 */
export async function bulkheadGoals(rounds: number): Promise<Line[]> {
  const what = 'live p95 during look-ups of 0504 with a test key';
  const on = await ratioWith('on', rounds);
  const off = await ratioWith('off', rounds);
  return [
    timesOf(ALONE, {
      ...{ goal: '12a', what: `${what}, with bulkheads`, measured: on, goalValue: 1.5, failsAt: 3 },
    }),
    // If this ratio were small, the load would prove nothing.
    timesOf(ALONE, {
      ...{ goal: '12b', what: `${what}, without bulkheads`, measured: off, goalValue: 3, failsAt: 3 },
      isLowerBound: true,
    }),
  ];
}

async function ratioWith(bulkheads: 'on' | 'off', rounds: number): Promise<Spread> {
  const service = await startBulkheadService({ bulkheads, registryTimeoutMs: 5_000 });
  try {
    const ratios: number[] = [];
    // The first round does not count.
    for (let round = 0; round <= rounds; round += 1) {
      const alone = await liveP95(service);
      const slow = sendSlowly(service);
      const beside = await liveP95(service);
      await slow;
      if (round > 0) ratios.push(beside / alone);
    }
    return spreadOf(ratios);
  } finally {
    await service.stop();
  }
}

/** Returns the 95th percentile of the look-ups that began within one phase, in milliseconds. */
async function liveP95(service: BulkheadService): Promise<number> {
  const untilMs = performance.now() + PHASE_MS;
  const latencies: number[] = [];
  const client = async () => {
    while (performance.now() < untilMs) {
      const { latencyMs } = await service.lookUp('live', '0001');
      latencies.push(latencyMs);
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: LIVE_CLIENTS }, client));
  const sorted = latencies.toSorted((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.NaN;
}

/** Sends look-ups at the rate for one phase, whether or not earlier ones have ended. Resolves when all have ended. */
async function sendSlowly(service: BulkheadService): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let count = 0; count < (TEST_REQUESTS_PER_SECOND * PHASE_MS) / 1000; count += 1) {
    sent.push(service.lookUp('test', '0504'));
    await sleep(1000 / TEST_REQUESTS_PER_SECOND);
  }
  await Promise.all(sent);
}
