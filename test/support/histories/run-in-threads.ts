import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { bundleRunner } from '../../ledger/mutation/bundle.ts';
import type { Patch } from '../../ledger/mutation/mutant.ts';
import { addCounts, runConcurrently, runWorker } from '../../ledger/run-workers.ts';
import { emptyHistories, type HistoriesOptions, type HistoriesResult } from './run-histories.ts';

/** The number of histories per thread. It is large because each thread loads and compiles the service again. */
const SLICE = 750;

/**
 * Runs histories in threads. `worker` is the file that each thread runs, bundled with a patched copy of the service.
 */
export async function runInThreads(
  worker: string,
  { firstSeed, histories, stopAtFailure = false }: HistoriesOptions,
  patches: readonly Patch[],
  threads: number,
): Promise<HistoriesResult> {
  const runner = await bundleRunner(patches, worker);
  const total = emptyHistories();
  let isOver = false;
  const slices = Array.from({ length: Math.ceil(histories / SLICE) }, (_, index) => index * SLICE);
  const run = async (first: number) => {
    if (isOver) return;
    const options = {
      firstSeed: firstSeed + first,
      histories: Math.min(SLICE, histories - first),
      stopAtFailure,
    };
    const result = await runWorker<HistoriesResult>(runner, options);
    total.histories += result.histories;
    total.failed.push(...result.failed);
    addCounts(total.counts, result.counts);
    addCounts(total.reached, result.reached);
    isOver = stopAtFailure && total.failed.length > 0;
  };
  try {
    await runConcurrently(
      slices.map((first) => () => run(first)),
      threads,
    );
    return total;
  } finally {
    rmSync(dirname(runner), { recursive: true });
  }
}
