import { parentPort, workerData } from 'node:worker_threads';
import { dynamodbOpener } from './dynamodb-tables.ts';
import { openMemory } from './memory-tables.ts';
import { type Order, runHistories } from './run-histories.ts';
import { installTimers } from './simulation/process.ts';

/** Runs histories away from the thread that counts them. Its order is its worker data. */
export interface WorkerOrder extends Order {
  /** In memory where absent. */
  readonly dynamodb?: { readonly endpoint: string; readonly accessKeyId: string };
}

// Errors are answers here, thousands of them; their stacks cost more than the histories.
Error.stackTraceLimit = 0;
installTimers();
const { dynamodb, ...order } = workerData as WorkerOrder;
const open = dynamodb ? await dynamodbOpener(dynamodb) : openMemory;
parentPort?.postMessage(await runHistories(order, open));
