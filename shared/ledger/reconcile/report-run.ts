import { logger } from '../../core/logger.ts';
import { publishMetrics } from '../../core/metrics.ts';
import type { DailyReport, OnDifferences } from './reconcile-day.ts';

/** Enough lines to start an investigation. The metric counts all differences, and the CLI lists them. */
const MAX_LINES = 200;

/**
 * Returns a function that logs the differences of one invocation as soon as they are found and publishes their number,
 * because the invocation may be killed before it ends.
 */
export function differenceReporter(): OnDifferences {
  let count = 0;
  return (found) => {
    for (const difference of found.slice(0, Math.max(0, MAX_LINES - count)))
      logger.error('The reconciliation found a difference.', { difference: { ...difference } });
    count += found.length;
    publishMetrics({ values: { reconciliationDifferences: count } });
  };
}

/** Logs the progress of a run. Publishes the number of differences if it is complete. */
export function reportRun({ status, run, runsOfSealedDays }: DailyReport): void {
  if (status === 'idle' || !run) return;
  const { startedAt, wallets, rows, differences } = run;
  logger.info('reconciliation', { status, startedAt, wallets, rows, differences, runsOfSealedDays });
  // 0 is also published: without a value, the alarm could not distinguish a day without differences from a missing run.
  if (status === 'complete') publishMetrics({ values: { reconciliationDifferences: differences } });
}
