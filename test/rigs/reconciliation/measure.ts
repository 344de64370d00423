import { dayPlus } from '../../../shared/core/accounting-month.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/core/clock.ts';
import { type DailyReport, reconcileDay } from '../../../shared/ledger/reconcile/reconcile-day.ts';
import type { Difference } from '../../../shared/ledger/reconcile/rows.ts';
import { seededRandom } from '../../ledger/simulation/random.ts';
import { GeneratedStore, type Planted, type StoreSize } from './generated-store.ts';

/**
 * Measures the daily reconciliation: what a run reads as the history grows, and how long a wrong row remains
 * undetected.
 */

export interface MeasureSettings extends StoreSize {
  /** The days of history after which a run is measured. */
  readonly historyDays: readonly number[];
  readonly rowsPerRun: number;
  readonly planted: number;
  readonly seed: number;
}

export interface MeasuredRun {
  readonly historyDays: number;
  readonly storedRows: number;
  readonly rowsRead: number;
  readonly units: number;
  readonly seconds: number;
}

export interface FoundFault extends Planted {
  /** The run that found the fault, counted from 1. Undefined if none did. */
  readonly run: number | undefined;
}

export interface Measured {
  readonly runs: readonly MeasuredRun[];
  readonly faults: readonly FoundFault[];
  /** The documented maximum number of runs. */
  readonly atMostRuns: number;
}

const FAULTS: readonly Planted['fault'][] = [
  'charge changed',
  'charge removed',
  'log row changed',
  'log row removed',
  'charge added',
];

export async function measure(
  settings: MeasureSettings,
  print: (line: string) => void = () => undefined,
): Promise<Measured> {
  const store = new GeneratedStore(settings);
  const startMs = store.nowMs + HOUR_MS;
  const runs: MeasuredRun[] = [];
  for (const days of settings.historyDays) {
    // A separate run, which is not measured, seals the days in between.
    store.nowMs = startMs + (days - 1) * DAY_MS;
    const sealed = await run(store, settings.rowsPerRun);
    if (sealed.found.length > 0) throw new Error(`There is a difference: ${JSON.stringify(sealed.found[0])}`);
    // Begins a new cycle of the scan, because the tables have grown by many days at once, which no real cycle sees.
    const { run: stored } = store.seals;
    const first = { next: 0, segments: 1, rows: 0 };
    if (stored) store.seals.run = { ...stored, walletsScan: first, logsScan: first };
    store.nowMs += DAY_MS;
    const measured = await run(store, settings.rowsPerRun);
    if (measured.found.length > 0)
      throw new Error(`There is a difference: ${JSON.stringify(measured.found[0])}`);
    const { rowsRead, units, seconds } = measured;
    runs.push({ historyDays: days, storedRows: store.rows, rowsRead, units, seconds });
    print(`${days} days, ${store.rows} rows: a run reads ${rowsRead} rows, ${units} units, in ${seconds} s`);
  }
  return { runs, ...(await findFaults(store, settings, print)) };
}

async function run(store: GeneratedStore, rowsPerRun: number) {
  store.reads = { lines: 0, logs: 0, lookUps: 0, queries: 0, scanned: 0 };
  store.seals.reads = 0;
  const found: Difference[] = [];
  const clock = { nowMs: () => store.nowMs, pause: async () => undefined, random: Math.random };
  const settings = {
    logRetentionDays: 3_650,
    endsAtMs: Number.POSITIVE_INFINITY,
    isForced: false,
    rowsPerRun,
  };
  const startedMs = performance.now();
  const report: DailyReport = await reconcileDay(store.source(), settings, clock, (some) =>
    found.push(...some),
  );
  if (report.status !== 'complete') throw new Error(`The run is ${report.status}.`);
  const { lines, logs, scanned } = store.reads;
  const seconds = Math.round(performance.now() - startedMs) / 1000;
  return { found, rowsRead: lines + logs + scanned, units: store.units, seconds, report };
}

/**
 * Plants wrong rows in sealed days, and runs the reconciliation for one day after another until all are found, at most
 * the documented number of times.
 */
async function findFaults(store: GeneratedStore, settings: MeasureSettings, print: (line: string) => void) {
  const lastDays = settings.historyDays.at(-1) ?? 0;
  const random = seededRandom(settings.seed);
  const planted = Array.from({ length: settings.planted }, (_, index): Planted => {
    const fault = FAULTS[index % FAULTS.length] ?? 'charge changed';
    // A charge is added where the request found no record.
    const request =
      5 * Math.floor((random.next() * settings.requestsPerDay) / 5) + (fault === 'charge added' ? 4 : 0);
    const day = dayPlus(settings.firstDay, Math.floor(random.next() * (lastDays - 3)));
    return { organisation: Math.floor(random.next() * settings.organisations), day, request, fault };
  });
  store.planted = planted;
  const atMostRuns = Math.ceil(lastDays / 3) + 1;
  const runOf = new Map<Planted, number>();
  for (let runs = 1; runs <= atMostRuns && runOf.size < planted.length; runs += 1) {
    store.nowMs += DAY_MS;
    const { found } = await run(store, settings.rowsPerRun);
    for (const one of planted) {
      const organisation = `org${String(one.organisation).padStart(7, '0')}`;
      const isFound = found.some(
        (each) => each.kind === 'sealed-day' && each.day === one.day && each.organisation === organisation,
      );
      if (isFound && !runOf.has(one)) {
        runOf.set(one, runs);
        print(`${one.fault} on ${one.day}: found by run ${runs}`);
      }
    }
  }
  return { faults: planted.map((one) => ({ ...one, run: runOf.get(one) })), atMostRuns };
}
