import { parentPort, workerData } from 'node:worker_threads';
import { startCounting } from './branches/count-branches.ts';
import type { LocatedBranch } from './branches/locate-branches.ts';
import { type RunOptions, runHistories } from './run-histories.ts';
import { installTimers } from './simulation/process.ts';
import { openDynamoDbTables } from './storage/dynamodb-tables.ts';
import { openMemoryTables } from './storage/memory-tables.ts';

/** The options of a worker thread that runs histories. It receives them as worker data. */
export interface WorkerOptions extends RunOptions {
  readonly branches?: readonly LocatedBranch[];
  /** If absent, the histories run in memory. */
  readonly dynamodb?: { readonly endpoint: string; readonly accessKeyId: string };
}

// Histories throw thousands of errors. Recording their stacks would take longer than the histories.
Error.stackTraceLimit = 0;
installTimers();
const { dynamodb, branches = [], ...options } = workerData as WorkerOptions;
const open = dynamodb ? await openDynamoDbTables(dynamodb) : openMemoryTables;
const readCounts = await startCounting(import.meta.url, branches);
const result = await runHistories(options, open);
parentPort?.postMessage({ ...result, branches: await readCounts() });
