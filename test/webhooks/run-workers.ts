import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleRunner } from '../ledger/mutation/bundle.ts';
import type { Patch } from '../ledger/mutation/mutant.ts';
import { addCounts, runConcurrently, runWorker } from '../ledger/run-workers.ts';
import { emptyWebhooksResult, type WebhooksOptions, type WebhooksResult } from './run-histories.ts';

const ENTRY = fileURLToPath(new URL('worker.ts', import.meta.url));
const SLICE = 250;

/** Runs histories of webhooks in threads, with a patched copy of the service's source. */
export async function runWebhooks(
  { firstSeed, histories, stopAtFailure = false }: WebhooksOptions,
  patches: readonly Patch[],
  workers: number,
): Promise<WebhooksResult> {
  const runner = await bundleRunner(patches, ENTRY);
  const total = emptyWebhooksResult();
  let isOver = false;
  const slices = Array.from({ length: Math.ceil(histories / SLICE) }, (_, index) => index * SLICE);
  const run = async (first: number) => {
    if (isOver) return;
    const options = {
      firstSeed: firstSeed + first,
      histories: Math.min(SLICE, histories - first),
      stopAtFailure,
    };
    const result = await runWorker<WebhooksResult>(runner, options);
    total.histories += result.histories;
    total.failed.push(...result.failed);
    addCounts(total.counts, result.counts);
    addCounts(total.reached, result.reached);
    isOver = stopAtFailure && total.failed.length > 0;
  };
  try {
    await runConcurrently(
      slices.map((first) => () => run(first)),
      workers,
    );
    return total;
  } finally {
    rmSync(dirname(runner), { recursive: true });
  }
}
