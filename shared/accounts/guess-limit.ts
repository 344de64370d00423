import { DAY_MS } from '../core/clock.ts';
import type { Row, RowUpdate } from '../core/database.ts';
import type { LimiterRows } from './account-table.ts';
import type { RateLimit } from './organisation.ts';
import { intervalMs, tatChange, tatOf } from './rate-limit.ts';

/**
 * The limit on misses of live keys, which makes guessing numbers impractical (contract F2). Misses are look-ups without
 * a record, slip requests that receive 404, and records that are refused although the provider may bill them. They are
 * counted when they end, as the theoretical arrival time (TAT) of the next one (docs/design/decisions/0007-guess-limit.md).
 */

/** The limit for one live key: 60 misses, and then one every 10 seconds. */
export const MISS_LIMIT: RateLimit = { perSecond: 60 / 600, burst: 60 };

/** The limit for all live keys of an organisation together: three times that of one key. */
export const ORGANISATION_MISS_LIMIT: RateLimit = {
  perSecond: 3 * MISS_LIMIT.perSecond,
  burst: 3 * MISS_LIMIT.burst,
};

/** The limit for one number of an organisation: details that do not match, without the record, in a day. Counts look-ups in progress. */
export const NUMBER_MISS_LIMIT: RateLimit = { perSecond: (10 * 1000) / DAY_MS, burst: 10 };

export interface GuessRejection {
  readonly guessLimit: 'guess-limit' | 'guess-limit-organisation';
  /** Whole seconds until one look-up is allowed again. */
  readonly retryAfterSeconds: number;
}

/** A TAT this far ahead can only come from a wrong clock, so it is ignored. It would take 259,200 misses of one key. */
const MAX_AHEAD_MS = 30 * DAY_MS;

/** Returns how many misses of a row still count. A fraction, because they expire continuously. */
export function missesOf(row: Row, limit: RateLimit, nowMs: number): number {
  const aheadMs = tatOf(row, 'missTatMs') - nowMs;
  return aheadMs > MAX_AHEAD_MS ? 0 : Math.max(0, aheadMs) / intervalMs(limit);
}

/** Returns the rejection if the key or its organisation has no miss left, and otherwise undefined. */
export function guessRejection(rows: LimiterRows, nowMs: number): GuessRejection | undefined {
  const ofOrganisation = waitSeconds(rows.organisation, ORGANISATION_MISS_LIMIT, nowMs);
  if (ofOrganisation > 0)
    return { guessLimit: 'guess-limit-organisation', retryAfterSeconds: ofOrganisation };
  const ofKey = waitSeconds(rows.key, MISS_LIMIT, nowMs);
  return ofKey > 0 ? { guessLimit: 'guess-limit', retryAfterSeconds: ofKey } : undefined;
}

function waitSeconds(row: Row, limit: RateLimit, nowMs: number): number {
  const excess = missesOf(row, limit, nowMs) + 1 - limit.burst;
  return Math.max(0, Math.ceil((excess * intervalMs(limit)) / 1000));
}

/**
 * Returns the update that counts a miss, and adds 1 to the attribute `alsoCounted`. A miss beyond the limit counts too,
 * so look-ups that were in progress when the limit was reached also delay the next one.
 */
export function missUpdate(row: Row, limit: RateLimit, nowMs: number, alsoCounted?: string): RowUpdate {
  const corruptMs = nowMs + MAX_AHEAD_MS;
  const bounds = { name: 'missTatMs', latestMs: corruptMs - intervalMs(limit), corruptMs } as const;
  const { set, condition, values } = tatChange(row, nowMs, limit, bounds);
  return {
    UpdateExpression: `SET ${set}${alsoCounted ? ` ADD ${alsoCounted} :one` : ''}`,
    ConditionExpression: condition,
    ExpressionAttributeValues: { ...values, ...(alsoCounted && { ':one': 1 }) },
  };
}

/** Returns the update that gives back a look-up of a number, which `expiringUpdate` counted. */
export function giveBackUpdate(nowMs: number): RowUpdate {
  return {
    UpdateExpression: 'SET tatMs = tatMs - :step',
    ConditionExpression: 'tatMs > :now',
    ExpressionAttributeValues: { ':step': intervalMs(NUMBER_MISS_LIMIT), ':now': nowMs },
  };
}

/** Misses that each record found takes back. */
const MISSES_PER_RECORD = 0.5;

/** Whether a record found takes back misses: only from a row that has used more than half of its limit. */
export function takesBack(row: Row, limit: RateLimit, nowMs: number): boolean {
  return missesOf(row, limit, nowMs) > limit.burst / 2;
}

/** Returns the update that takes back misses for a record found. It does not apply if half of the limit is unused. */
export function foundUpdate(limit: RateLimit, nowMs: number): RowUpdate {
  return {
    UpdateExpression: 'SET missTatMs = missTatMs - :back',
    ConditionExpression: 'missTatMs > :half AND missTatMs <= :corrupt',
    ExpressionAttributeValues: {
      ':back': MISSES_PER_RECORD * intervalMs(limit),
      ':half': nowMs + (limit.burst / 2) * intervalMs(limit),
      ':corrupt': nowMs + MAX_AHEAD_MS,
    },
  };
}
