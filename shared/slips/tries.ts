import type { Row, RowUpdate } from '../core/database.ts';

/** Limits the tries to guess the details on a slip: ten that do not match, and then one each week. */

/** After this many tries that do not match, a token gets another try every TRY_MS. */
const FREE_TRIES = 10;
const TRY_MS = 7 * 24 * 3600_000;

const seconds = (ms: number) => Math.ceil(ms / 1000);

/** Takes the first try of a token that has all its tries. */
export function firstTry(nowMs: number): RowUpdate {
  return {
    UpdateExpression: 'SET usedUntilMs = :next, expiresAt = :expiry',
    ConditionExpression: 'attribute_not_exists(pk) OR usedUntilMs <= :now',
    ExpressionAttributeValues: {
      ':now': nowMs,
      ':next': nowMs + TRY_MS,
      ':expiry': seconds(nowMs + TRY_MS),
    },
  };
}

/** Takes one of the remaining tries. */
export function nextTry(nowMs: number): RowUpdate {
  return {
    UpdateExpression: 'SET usedUntilMs = usedUntilMs + :try, expiresAt = expiresAt + :trySeconds',
    ConditionExpression: 'usedUntilMs > :now AND usedUntilMs <= :latest',
    ExpressionAttributeValues: {
      ':now': nowMs,
      ':latest': nowMs + (FREE_TRIES - 1) * TRY_MS,
      ':try': TRY_MS,
      ':trySeconds': seconds(TRY_MS),
    },
  };
}

/** Takes back a try. A row that has expired in the meantime has nothing to take back. */
export function tryTakenBack(nowMs: number): RowUpdate {
  return {
    UpdateExpression: 'SET usedUntilMs = usedUntilMs - :try, expiresAt = expiresAt - :trySeconds',
    ConditionExpression: 'usedUntilMs > :now',
    ExpressionAttributeValues: { ':now': nowMs, ':try': TRY_MS, ':trySeconds': seconds(TRY_MS) },
  };
}

/**
 * For a token without remaining tries, returns when the next try is permitted. Undefined if the token has all its
 * tries.
 */
export function nextTryAt(row: Row, nowMs: number): Date | undefined {
  const usedUntilMs = Number(row['usedUntilMs'] ?? 0);
  return usedUntilMs > nowMs ? new Date(usedUntilMs - (FREE_TRIES - 1) * TRY_MS) : undefined;
}
