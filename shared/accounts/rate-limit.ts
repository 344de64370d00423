import type { RateLimit } from './organisation.ts';

/**
 * GCRA, the generic cell rate algorithm: one number a key and class, the theoretical arrival time (TAT) of the next
 * request in epoch milliseconds. Source: `RateLimit` headers of draft-ietf-httpapi-ratelimit-headers-09, decisions F1, F2.
 */
export interface RateDecision {
  readonly allowed: boolean;
  /** Requests that would still be let in at this instant. */
  readonly remaining: number;
  /** Whole seconds until the full burst is available again. */
  readonly resetSeconds: number;
  /** Whole seconds after which one more request is let in; 0 where it is now. */
  readonly retryAfterSeconds: number;
}

/** Decision F2: look-ups that end in not found, and slip 404s: 60 in 10 minutes and live key. */
export const NOT_FOUND_LIMIT: RateLimit = { perSecond: 60 / 600, burst: 60 };

/** Milliseconds between two requests at the sustained rate. */
export function intervalMs(limit: RateLimit): number {
  return 1000 / limit.perSecond;
}

/** How far TAT may lie ahead of now for a request to be let in. */
export function toleranceMs(limit: RateLimit): number {
  return (limit.burst - 1) * intervalMs(limit);
}

/** A TAT so far ahead can only come from a broken clock or a lowered rate: it is reset, not obeyed. */
export function isCorrupt(tatMs: number, nowMs: number, limit: RateLimit): boolean {
  return tatMs > nowMs + 2 * limit.burst * intervalMs(limit);
}

/** Would one more request be let in, given the TAT? */
export function isWithin(tatMs: number, nowMs: number, limit: RateLimit): boolean {
  return tatMs <= nowMs + toleranceMs(limit) || isCorrupt(tatMs, nowMs, limit);
}

/** Describes the state after a decision: `tatMs` is the TAT that stands in the table. */
export function describe(allowed: boolean, tatMs: number, nowMs: number, limit: RateLimit): RateDecision {
  const aheadMs = Math.max(0, tatMs - nowMs);
  const waitMs = Math.max(0, aheadMs - toleranceMs(limit));
  return {
    allowed,
    remaining: Math.max(0, Math.floor(limit.burst - aheadMs / intervalMs(limit))),
    resetSeconds: Math.ceil(aheadMs / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil(waitMs / 1000)),
  };
}
