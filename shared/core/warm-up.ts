import { withDeadline } from './deadline.ts';
import { errorFields, logger } from './logger.ts';

/**
 * The longest time that an instance waits for its warm-up. Lambda ends an instance that takes longer than 10 s to
 * start, and loading the code takes up to 2 s of that time.
 */
export const WARM_UP_MS = 2_000;

/** A step that an instance can take before its first request. */
export type WarmUpStep = () => Promise<unknown>;

/**
 * Runs all steps at the same time. Resolves once they have ended, or after 2 s at the latest. Never rejects: the first
 * request repeats what failed here, and responds with its own error if it fails again.
 */
export async function warmUp(steps: readonly WarmUpStep[]): Promise<void> {
  const startedMs = Date.now();
  const all = Promise.allSettled(steps.map(async (step) => step()));
  const ended = await withDeadline(all, startedMs + WARM_UP_MS, startedMs, () => undefined);
  const fields = { latency_ms: Date.now() - startedMs, is_complete: ended !== undefined };
  const failed = ended?.find((result) => result.status === 'rejected');
  if (ended && !failed) logger.info('warm-up', fields);
  else logger.warn('warm-up', { ...fields, ...(failed && errorFields(failed.reason)) });
}
