import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 120_000;

/** Waits until this is true, and throws if it is not in time: a busy machine is slow. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + PATIENCE_MS; Date.now() < endMs; await sleep(50))
    if (await isTrue()) return;
  throw new Error('This did not happen in time.');
}
