import { type Clock, REAL_CLOCK } from './clock.ts';

/** Repeats reads for which DynamoDB returns only some items, because it throttles the others. */

/**
 * No read starts more than this long after the first. A look-up that begins up to 4 s after its request still has all
 * of its time (shared/ledger/operation.ts), so a busy item does not shorten it.
 */
const MAX_WAIT_MS = 2_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 320;

/**
 * Calls `read` with all keys, and then with the unread keys that it returns, until there are none. The pauses double
 * from at most 20 ms to at most 320 ms, and up to half of each is random, so that callers do not repeat their reads at
 * the same time. Throws a throttling error if keys are still left and the next read would start more than 2 s after the
 * first.
 */
export async function readAgain<K>(
  keys: readonly K[],
  read: (keys: readonly K[]) => Promise<readonly K[]>,
  clock: Clock = REAL_CLOCK,
): Promise<void> {
  const untilMs = clock.nowMs() + MAX_WAIT_MS;
  let left = keys;
  for (let reads = 0; left.length > 0; reads += 1) {
    if (reads > 0) {
      const pauseMs = pauseOf(reads - 1, clock.random());
      if (clock.nowMs() + pauseMs > untilMs) throw throttled();
      await clock.pause(pauseMs);
    }
    left = await read(left);
  }
}

/** Returns the next pause. The first ones are short, because most items are throttled only for a moment. */
function pauseOf(pausesBefore: number, random: number): number {
  const longestMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** pausesBefore);
  return (longestMs * (1 + random)) / 2;
}

/** Returns an error with the name of a DynamoDB throttling error, which `isTableFailure` recognises. */
function throttled(): Error {
  const error = new Error('The table did not return all rows of a batch.');
  return Object.assign(error, { name: 'ThrottlingException' });
}
