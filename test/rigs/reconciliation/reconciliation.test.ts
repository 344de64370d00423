import { expect, test } from '@jest/globals';
import { sampleSeed } from '../../support/sample.ts';
import { measure } from './measure.ts';

/** The short form of the rig, with 100,000 rows: `npm run rig -- reconciliation` uses 10 million. */
test('a run costs about the same however long the history is, and finds wrong rows of sealed days within the documented time', async () => {
  const settings = {
    organisations: 1,
    requestsPerDay: 200,
    firstDay: '2025-01-01',
    historyDays: [100, 150, 250],
    rowsPerRun: 1_000,
    planted: 5,
    seed: sampleSeed,
  };
  const { runs, faults, atMostRuns } = await measure(settings);
  expect(runs.at(-1)?.storedRows).toBeGreaterThanOrEqual(100_000);
  const units = runs.map((run) => run.units);
  const mean = units.reduce((sum, one) => sum + one, 0) / units.length;
  for (const one of units) expect(Math.abs(one / mean - 1)).toBeLessThanOrEqual(0.1);
  expect(faults).toHaveLength(5);
  for (const fault of faults) expect(fault.run ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(atMostRuns);
});
