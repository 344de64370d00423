import type { RateLimit } from '../accounts/organisation.ts';
import { isWithin, tatChange, tatOf } from '../accounts/rate-limit.ts';
import { DAY_MS } from '../core/clock.ts';
import type { Row, RowUpdate } from '../core/database.ts';

/** The row that limits a person's requests, and the changes that each request makes to it. */

/** The limit for all requests of one person, across their sessions and organisations. */
export const PERSON_RATE_LIMIT: RateLimit = { perSecond: 10, burst: 30 };

const KEPT_MS = DAY_MS;

/** Whether the row, as it was read, permits one more request. */
export function isPersonWithinRate(row: Row, nowMs: number): boolean {
  return isWithin(tatOf(row), nowMs, PERSON_RATE_LIMIT);
}

/** Returns the update that counts one request. */
export function personRequestUpdate(row: Row, nowMs: number): RowUpdate {
  const { set, condition, values } = tatChange(row, nowMs, PERSON_RATE_LIMIT);
  return {
    UpdateExpression: `SET ${set}, expiresAt = :expiresAt`,
    ConditionExpression: condition,
    ExpressionAttributeValues: { ...values, ':expiresAt': Math.ceil((nowMs + KEPT_MS) / 1000) },
  };
}
