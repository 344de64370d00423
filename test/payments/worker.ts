import { parentPort, workerData } from 'node:worker_threads';
import { installTimers } from '../ledger/simulation/process.ts';
import { type PaymentsOptions, runPaymentHistories } from './run-histories.ts';

/** A worker thread that runs histories of payments. Its options are its worker data. */

// Histories throw thousands of errors. Recording their stacks would take longer than the histories.
Error.stackTraceLimit = 0;
installTimers();
parentPort?.postMessage(await runPaymentHistories(workerData as PaymentsOptions));
