import { setTimeout as sleep } from 'node:timers/promises';
import type { InvocationResult } from './function-instance.ts';

/** Lambda repeats a failed asynchronous invocation after one and two minutes. Here these are seconds. */
const RETRY_PAUSES_MS = [1_000, 2_000];
const THROTTLED_PAUSE_MS = 500;

/**
 * Invokes a function asynchronously, as Lambda does: up to three times if it fails, and again and again while its
 * reserved concurrency is in use. Rejects when the last attempt has failed.
 */
export async function invokeAsynchronously(
  invoke: () => Promise<InvocationResult | undefined>,
  // Does not keep a runtime that is stopping alive.
  pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms, undefined, { ref: false }),
): Promise<void> {
  const pauses = [...RETRY_PAUSES_MS];
  for (;;) {
    const result = await invoke();
    if (result?.kind === 'returned') return;
    const reason = result?.reason ?? 'no such function';
    const pauseMs = reason === 'throttled' ? THROTTLED_PAUSE_MS : pauses.shift();
    if (pauseMs === undefined) throw new Error(`The last attempt failed: ${reason}.`);
    await pause(pauseMs);
  }
}
