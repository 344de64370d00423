import { DAY_MS } from '../core/clock.ts';
import type { Row, RowUpdate } from '../core/database.ts';

/** Limits the attempts to guess the details on a slip: ten that do not match, and then one each week. */

/** After this many attempts that do not match, a token gets another attempt every ATTEMPT_MS. */
const FREE_ATTEMPTS = 10;
const ATTEMPT_MS = 7 * DAY_MS;

const seconds = (ms: number) => Math.ceil(ms / 1000);

/** Returns the update that takes the first attempt of a token that has all its attempts. */
export function firstAttempt(nowMs: number): RowUpdate {
  return {
    UpdateExpression: 'SET usedUntilMs = :next, expiresAt = :expiry',
    ConditionExpression: 'attribute_not_exists(pk) OR usedUntilMs <= :now',
    ExpressionAttributeValues: {
      ':now': nowMs,
      ':next': nowMs + ATTEMPT_MS,
      ':expiry': seconds(nowMs + ATTEMPT_MS),
    },
  };
}

/** Returns the update that takes one of the remaining attempts. */
export function nextAttempt(nowMs: number): RowUpdate {
  return {
    UpdateExpression: 'SET usedUntilMs = usedUntilMs + :attempt, expiresAt = expiresAt + :attemptSeconds',
    ConditionExpression: 'usedUntilMs > :now AND usedUntilMs <= :latest',
    ExpressionAttributeValues: {
      ':now': nowMs,
      ':latest': nowMs + (FREE_ATTEMPTS - 1) * ATTEMPT_MS,
      ':attempt': ATTEMPT_MS,
      ':attemptSeconds': seconds(ATTEMPT_MS),
    },
  };
}

/** Returns the update that takes back an attempt. A row that has expired in the meantime has nothing to take back. */
export function attemptTakenBack(nowMs: number): RowUpdate {
  return {
    UpdateExpression: 'SET usedUntilMs = usedUntilMs - :attempt, expiresAt = expiresAt - :attemptSeconds',
    ConditionExpression: 'usedUntilMs > :now',
    ExpressionAttributeValues: {
      ':now': nowMs,
      ':attempt': ATTEMPT_MS,
      ':attemptSeconds': seconds(ATTEMPT_MS),
    },
  };
}

/**
 * For a token without remaining attempts, returns when the next attempt is permitted. Undefined if the token has all
 * its attempts.
 */
export function nextAttemptAt(row: Row, nowMs: number): Date | undefined {
  const usedUntilMs = Number(row['usedUntilMs'] ?? 0);
  return usedUntilMs > nowMs ? new Date(usedUntilMs - (FREE_ATTEMPTS - 1) * ATTEMPT_MS) : undefined;
}
