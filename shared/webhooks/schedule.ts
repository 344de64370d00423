import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/clock.ts';

/** When a delivery is tried again (docs/guides/webhooks.md). */

const SECOND_MS = 1000;

/** If the attempt after the last wait fails, the delivery fails. */
export const RETRY_WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  DAY_MS,
] as const;

export const MAX_ATTEMPTS = RETRY_WAITS_MS.length + 1;
/** Deliveries that failed together are not retried together. */
const JITTER = 0.1;

/** Epoch milliseconds. Undefined after the last one. */
export function nextAttemptAt(attempts: number, nowMs: number, random: number): number | undefined {
  const waitMs = RETRY_WAITS_MS[attempts - 1];
  return waitMs && nowMs + Math.round(waitMs * (1 - JITTER + 2 * JITTER * random));
}

/** SQS hides a message for at most 12 hours. A longer wait has several steps. */
const LONGEST_HIDE_SECONDS = 11 * 3600;

export function hiddenSeconds(untilMs: number, nowMs: number): number {
  const seconds = Math.ceil((untilMs - nowMs) / SECOND_MS);
  return Math.min(LONGEST_HIDE_SECONDS, Math.max(1, seconds));
}

/** From 5 to 60. */
export function leaseWaitSeconds(random: number): number {
  return 5 + Math.floor(random * 56);
}
