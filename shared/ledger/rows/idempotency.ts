import * as v from 'valibot';
import { DAY_MS, DAY_SECONDS } from '../../core/clock.ts';
import { HOLD_LIFE_MS } from './wallet.ts';

/** Responses are never stored. */
export const idempotency = v.object({
  /** HMAC of the canonical request under a secret of the organisation. */
  fingerprint: v.string(),
  /** Its charge row decides what a retry gets. */
  operationId: v.string(),
  requestId: v.string(),
  startedAtMs: v.number(),
  /** Free replays that returned a record, or still may. A set, so that counting one twice changes nothing. */
  replays: v.optional(v.set(v.string())),
  /** Epoch seconds. Checked on each read, because DynamoDB may delete expired rows days later. */
  expiresAt: v.number(),
});
export type Idempotency = v.InferOutput<typeof idempotency>;

/** Numbers can no longer be tested against it, and every retry under the key is rejected. */
export const ERASED_FINGERPRINT = 'erased';
export const MAX_REPLAYS = 3;
export const REPLAY_WINDOW_MS = DAY_MS;
export const IDEMPOTENCY_LIFE_SECONDS = 30 * DAY_SECONDS;
const LONGEST_WAIT_SECONDS = 5;

/** An undecided attempt may run until its hold would expire. */
export function isRunning(row: Idempotency, nowMs: number): boolean {
  return nowMs < row.startedAtMs + HOLD_LIFE_MS;
}

export function isExpired(row: Idempotency, nowMs: number): boolean {
  return nowMs >= row.expiresAt * 1000;
}

/** `Retry-After` in seconds. */
export function waitSeconds(row: Idempotency, nowMs: number): number {
  const leftSeconds = Math.ceil((row.startedAtMs + HOLD_LIFE_MS - nowMs) / 1000);
  return Math.max(1, Math.min(LONGEST_WAIT_SECONDS, leftSeconds));
}
