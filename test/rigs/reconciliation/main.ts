import { parseArgs } from 'node:util';
import { measure } from './measure.ts';

/**
 * `npm run rig -- reconciliation` measures the daily reconciliation over ten million rows, which are computed when they
 * are read. Exits with 1 if the cost of a run differs from the mean by more than 10%, or if a wrong row of a sealed day
 * is not found within the documented time.
 */

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000000' },
    'rows-per-run': { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
});
const [rows, rowsPerRun] = [Number(values.rows), Number(values['rows-per-run'])];
const [organisations, requestsPerDay] = [20, 500];
const days = Math.ceil(rows / (organisations * requestsPerDay * 2));
const settings = {
  organisations,
  requestsPerDay,
  firstDay: '2025-01-01',
  historyDays: [8, 4, 2, 1].map((part) => Math.ceil(days / part)),
  rowsPerRun,
  planted: 10,
  seed: Number(values.seed),
};
console.log(`seed ${settings.seed}`);
const { runs, faults, atMostRuns } = await measure(settings, (line) => console.log(line));
const units = runs.map((run) => run.units);
const mean = units.reduce((sum, one) => sum + one, 0) / units.length;
const spread = Math.max(...units.map((one) => Math.abs(one / mean - 1)));
console.log(
  `\nThe cost of a run differs from its mean by at most ${(100 * spread).toFixed(1)}% (at most 10% is allowed).`,
);
const latest = Math.max(...faults.map(({ run }) => run ?? Number.POSITIVE_INFINITY));
console.log(
  `${faults.length} wrong rows were found within ${latest} runs (documented: at most ${atMostRuns}).`,
);
process.exitCode = spread <= 0.1 && latest <= atMostRuns ? 0 : 1;
