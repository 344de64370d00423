import { Worker } from 'node:worker_threads';
import { emptyResult, type RunResult } from './run-histories.ts';
import type { WorkerOptions } from './worker.ts';

/** One task of a worker: the bundled runner and its options. */
export interface Job {
  readonly runner: string;
  readonly options: WorkerOptions;
}

export function runJob({ runner, options }: Job): Promise<RunResult> {
  return new Promise((done, fail) => {
    const worker = new Worker(runner, { workerData: options });
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
    add(total.counts, counts);
    add(total.reached, reached);
    add(total.branches, branches);
  }
  return total;
}

function add(total: Record<string, number>, part: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(part)) total[name] = (total[name] ?? 0) + count;
}
