import { Worker } from 'node:worker_threads';
import { emptyResult, type RunResult } from './run-histories.ts';
import type { WorkerOptions } from './worker.ts';

/** One task of a worker: the bundled runner and its options. */
export interface Job {
  readonly runner: string;
  readonly options: WorkerOptions;
}

export function runJob({ runner, options }: Job): Promise<RunResult> {
  return runWorker(runner, options);
}

/** Runs a bundled worker with its options. Returns the first message that it sends. */
export function runWorker<T>(runner: string, workerData: object): Promise<T> {
  return new Promise((done, fail) => {
    const worker = new Worker(runner, { workerData });
    worker.once('message', done);
    worker.once('error', fail);
    worker.once('exit', (code) => fail(new Error(`A worker exited with code ${code}.`)));
  });
}

/** Runs the tasks in order, up to `workers` at a time. */
export async function runConcurrently<T>(
  tasks: readonly (() => Promise<T>)[],
  workers: number,
): Promise<T[]> {
  const results: T[] = [];
  const entries = tasks.entries();
  const work = async () => {
    for (const [index, task] of entries) results[index] = await task();
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}

export function mergeResults(results: readonly RunResult[]): RunResult {
  const total = emptyResult();
  for (const { histories, counts, reached, branches, failed } of results) {
    total.histories += histories;
    total.failed.push(...failed);
    addCounts(total.counts, counts);
    addCounts(total.reached, reached);
    addCounts(total.branches, branches);
  }
  return total;
}

/** Adds each count of `part` to that of `total`. */
export function addCounts(total: Record<string, number>, part: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(part)) total[name] = (total[name] ?? 0) + count;
}
