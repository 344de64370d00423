import { DAY_MS } from '../core/clock.ts';
import type { Row, RowUpdate } from '../core/database.ts';
import type { RateLimit } from './organisation.ts';

/**
 * GCRA, the generic cell rate algorithm. It stores one number: the theoretical arrival time (TAT) of the next request,
 * in epoch milliseconds. Sources: draft-ietf-httpapi-ratelimit-headers-09, contract F1.
 */

export interface RateDecision {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until the full burst is available again. */
  readonly resetSeconds: number;
  /** Whole seconds until the next request is allowed; 0 if it is allowed now. */
  readonly retryAfterSeconds: number;
}

export function intervalMs(limit: RateLimit): number {
  return 1000 / limit.perSecond;
}

/** Returns how far the TAT may be ahead of now for a request to be allowed. */
function toleranceMs(limit: RateLimit): number {
  return (limit.burst - 1) * intervalMs(limit);
}

export const tatOf = (row: Row, name: 'tatMs' | 'missTatMs' = 'tatMs') => Number(row[name] ?? 0);

const MAX_SLACK_MS = 50;

/**
 * Returns how far in the past the TAT of a busy key may be. With concurrent requests, the TAT is sometimes just ahead
 * of now and sometimes just behind, and none of them can know which of the two its update will find. A request that
 * adds to a TAT in the past gains that time, so any period W admits at most `burst` + `perSecond` × (W + slack)
 * requests. The slack adds at most a fortieth of the burst.
 */
function slackMs(limit: RateLimit): number {
  return Math.min(MAX_SLACK_MS, (limit.burst * intervalMs(limit)) / 40);
}

/** Returns the latest plausible TAT. Only a wrong clock or a changed limit can cause a later one. It is then reset. */
function latestPlausibleMs(nowMs: number, limit: RateLimit): number {
  return nowMs + 2 * limit.burst * intervalMs(limit);
}

export function isWithin(tatMs: number, nowMs: number, limit: RateLimit): boolean {
  return tatMs <= nowMs + toleranceMs(limit) || tatMs > latestPlausibleMs(nowMs, limit);
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

interface TatBounds {
  readonly name: 'tatMs' | 'missTatMs';
  /** The latest TAT at which one more request is counted. */
  readonly latestMs: number;
  readonly corruptMs: number;
}

interface TatChange {
  readonly set: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, number>>;
}

const boundsOfRequests = (nowMs: number, limit: RateLimit): TatBounds => ({
  name: 'tatMs',
  latestMs: nowMs + toleranceMs(limit),
  corruptMs: latestPlausibleMs(nowMs, limit),
});

/**
 * Returns the change to a row's TAT that counts one request. An update cannot compute a maximum, so there are two. That
 * of a busy key adds to its TAT, whatever concurrent requests have added since it was read. That of an idle key sets the
 * TAT from `now`, and does not apply if another request has done so in the meantime.
 */
export function tatChange(
  row: Row,
  nowMs: number,
  limit: RateLimit,
  { name, latestMs, corruptMs } = boundsOfRequests(nowMs, limit),
): TatChange {
  const tatMs = tatOf(row, name);
  const busyFromMs = nowMs - slackMs(limit);
  return tatMs > busyFromMs && tatMs <= corruptMs
    ? {
        set: `${name} = ${name} + :step`,
        condition: `${name} > :busyFrom AND ${name} <= :latest`,
        values: { ':step': intervalMs(limit), ':busyFrom': busyFromMs, ':latest': latestMs },
      }
    : {
        set: `${name} = :next`,
        condition: `(attribute_not_exists(${name}) OR ${name} <= :now OR ${name} > :corrupt)`,
        values: { ':next': nowMs + intervalMs(limit), ':now': nowMs, ':corrupt': corruptMs },
      };
}

const KEPT_MS = DAY_MS;

/** Returns the update that counts one request in a row of its own, which expires a day later. */
export function expiringUpdate(row: Row, nowMs: number, limit: RateLimit): RowUpdate {
  const { set, condition, values } = tatChange(row, nowMs, limit);
  return {
    UpdateExpression: `SET ${set}, expiresAt = :expiresAt`,
    ConditionExpression: condition,
    ExpressionAttributeValues: { ...values, ':expiresAt': Math.ceil((nowMs + KEPT_MS) / 1000) },
  };
}
