import { parentPort, workerData } from 'node:worker_threads';
import { installTimers } from '../ledger/simulation/process.ts';
import { type HistoriesOptions, runHistories } from '../support/histories/run-histories.ts';
import { checkDeliveries } from './checker/check-deliveries.ts';
import { runWebhookHistory } from './history.ts';
import { planOf } from './plan.ts';

/** A worker thread that runs histories of webhooks. It receives its options as worker data. */

// Histories throw thousands of errors. Recording their stacks would take longer than the histories.
Error.stackTraceLimit = 0;
installTimers();
const result = await runHistories(workerData as HistoriesOptions, async (seed, counts) => {
  const { evidence, reached } = await runWebhookHistory(planOf(seed), counts);
  return { reached, violations: checkDeliveries(evidence) };
});
parentPort?.postMessage(result);
