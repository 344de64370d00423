import { Worker } from 'node:worker_threads';
import { emptyOutcome, type Outcome } from './run-histories.ts';
import type { WorkerOrder } from './worker.ts';

/** One piece of work for one worker: the bundled runner, and what it shall run. */
export interface Job {
  readonly runner: string;
  readonly order: WorkerOrder;
}

export function runJob({ runner, order }: Job): Promise<Outcome> {
  return new Promise((done, fail) => {
    const worker = new Worker(runner, { workerData: order });
    worker.once('message', done);
    worker.once('error', fail);
    worker.once('exit', (code) => fail(new Error(`A worker ended with ${code}.`)));
  });
}

/** Runs the tasks, so many at a time, in their order. */
export async function inTurn<T>(tasks: readonly (() => Promise<T>)[], workers: number): Promise<T[]> {
  const results: T[] = [];
  const entries = tasks.entries();
  const work = async () => {
    for (const [place, task] of entries) results[place] = await task();
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}

export function merged(outcomes: readonly Outcome[]): Outcome {
  const total = emptyOutcome();
  for (const { histories, counts, reached, bad } of outcomes) {
    total.histories += histories;
    total.bad.push(...bad);
    add(total.counts, counts);
    add(total.reached, reached);
  }
  return total;
}

function add(total: Record<string, number>, part: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(part)) total[name] = (total[name] ?? 0) + count;
}
