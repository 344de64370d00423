import { parentPort, workerData } from 'node:worker_threads';
import { installTimers } from '../ledger/simulation/process.ts';
import { runWebhookHistories, type WebhooksOptions } from './run-histories.ts';
import { installPauses } from './simulated-modules.ts';

/** A worker thread that runs histories of webhooks. Its options are its worker data. */

// Histories throw thousands of errors. Recording their stacks would take longer than the histories.
Error.stackTraceLimit = 0;
installTimers();
installPauses();
parentPort?.postMessage(await runWebhookHistories(workerData as WebhooksOptions));
