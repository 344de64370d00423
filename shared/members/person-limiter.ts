import type { RateLimit } from '../accounts/organisation.ts';
import { isWithin, tatChange, tatOf } from '../accounts/rate-limit.ts';
import { DAY_MS } from '../core/clock.ts';
import type { Row, RowUpdate } from '../core/database.ts';

/** The limit for all requests of one person, across their sessions and organisations. */
export const PERSON_RATE_LIMIT: RateLimit = { perSecond: 10, burst: 30 };

const KEPT_MS = DAY_MS;

export function isPersonWithinRate(row: Row, nowMs: number): boolean {
  return isWithin(tatOf(row), nowMs, PERSON_RATE_LIMIT);
}

/** Counts one request. */
export function personRequestUpdate(row: Row, nowMs: number): RowUpdate {
  const { set, condition, values } = tatChange(row, nowMs, PERSON_RATE_LIMIT);
  return {
    UpdateExpression: `SET ${set}, expiresAt = :expiresAt`,
    ConditionExpression: condition,
    ExpressionAttributeValues: { ...values, ':expiresAt': Math.ceil((nowMs + KEPT_MS) / 1000) },
  };
}
