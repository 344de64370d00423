import type { RateLimit } from '../accounts/organisation.ts';
import { intervalMs, isCorrupt, isWithin, tatOf, toleranceMs } from '../accounts/rate-limit.ts';
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

/**
 * Returns the update that counts one request. There are two kinds, because an update expression cannot compute a
 * maximum.
 */
export function personRequestUpdate(row: Row, nowMs: number): RowUpdate {
  const step = intervalMs(PERSON_RATE_LIMIT);
  const expiresAt = Math.ceil((nowMs + KEPT_MS) / 1000);
  const isBusy = tatOf(row) > nowMs && !isCorrupt(tatOf(row), nowMs, PERSON_RATE_LIMIT);
  if (isBusy)
    return {
      UpdateExpression: 'SET tatMs = tatMs + :step, expiresAt = :expiresAt',
      ConditionExpression: 'tatMs > :now AND tatMs <= :latest',
      ExpressionAttributeValues: {
        ':now': nowMs,
        ':step': step,
        ':latest': nowMs + toleranceMs(PERSON_RATE_LIMIT),
        ':expiresAt': expiresAt,
      },
    };
  return {
    UpdateExpression: 'SET tatMs = :next, expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(tatMs) OR tatMs <= :now OR tatMs > :corrupt',
    ExpressionAttributeValues: {
      ':now': nowMs,
      ':next': nowMs + step,
      ':corrupt': nowMs + 2 * PERSON_RATE_LIMIT.burst * step,
      ':expiresAt': expiresAt,
    },
  };
}
