import type { RateLimit } from './organisation.ts';

/**
 * GCRA, the generic cell rate algorithm. It stores one number: the theoretical arrival time (TAT) of the next request,
 * in epoch milliseconds. Sources: draft-ietf-httpapi-ratelimit-headers-09, contract F1.
 */

export interface RateDecision {
  readonly allowed: boolean;
  /** How many requests would be allowed now. */
  readonly remaining: number;
  /** Whole seconds until the full burst is available again. */
  readonly resetSeconds: number;
  /** Whole seconds until the next request is allowed; 0 if it is allowed now. */
  readonly retryAfterSeconds: number;
}

/** Returns the milliseconds between two requests at the sustained rate. */
export function intervalMs(limit: RateLimit): number {
  return 1000 / limit.perSecond;
}

/** Returns how far the TAT may be ahead of now for a request to be allowed. */
export function toleranceMs(limit: RateLimit): number {
  return (limit.burst - 1) * intervalMs(limit);
}

const MAX_SLACK_MS = 50;

/**
 * Returns how far in the past the TAT of a busy key may be. With concurrent requests, the TAT is sometimes just ahead
 * of now and sometimes just behind, and none of them can know which of the two its update will find. A request that
 * adds to a TAT in the past gains that time, so any period W admits at most `burst` + `perSecond` × (W + slack)
 * requests. The slack adds at most a fortieth of the burst.
 */
export function slackMs(limit: RateLimit): number {
  return Math.min(MAX_SLACK_MS, (limit.burst * intervalMs(limit)) / 40);
}

/** Whether the TAT is so far ahead that only a wrong clock or a changed limit can be the cause. It is then reset. */
export function isCorrupt(tatMs: number, nowMs: number, limit: RateLimit): boolean {
  return tatMs > nowMs + 2 * limit.burst * intervalMs(limit);
}

/** Whether one more request is allowed, given the TAT. */
export function isWithin(tatMs: number, nowMs: number, limit: RateLimit): boolean {
  return tatMs <= nowMs + toleranceMs(limit) || isCorrupt(tatMs, nowMs, limit);
}

/** Describes the state after a decision. `tatMs` is the stored TAT. */
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
