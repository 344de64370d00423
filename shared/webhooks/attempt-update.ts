import type { RowUpdate } from '../core/database.ts';
import type { AttemptResult, Delivery } from './delivery.ts';

/**
 * The conditional changes that attempts make to the row of a delivery. Each change applies only to the round and
 * attempt that were read.
 */

const SAME = '#state = :pending AND round = :round AND attemptInRound = :attempt';
const valuesOf = ({ round, attemptInRound }: Delivery) => ({
  ':pending': 'PENDING',
  ':round': round,
  ':attempt': attemptInRound,
});

/** The times of an attempt, in epoch milliseconds. `dueMs`: when the next attempt is due if this one is interrupted. */
export interface AttemptTimes {
  readonly nowMs: number;
  readonly untilMs: number;
  readonly dueMs: number;
}

/** Returns the update that claims the next attempt, unless another instance has one in progress. */
export function claimAttempt(row: Delivery, { nowMs, untilMs, dueMs }: AttemptTimes): RowUpdate {
  return {
    UpdateExpression:
      'SET attemptInRound = :next, attempts = :attempts, attemptUntilMs = :until, dueMs = :due, attemptedAt = :at',
    ConditionExpression: `${SAME} AND (attribute_not_exists(attemptUntilMs) OR attemptUntilMs < :now)`,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ...valuesOf(row),
      ':next': row.attemptInRound + 1,
      ':attempts': row.attempts + 1,
      ':until': untilMs,
      ':due': dueMs,
      ':at': new Date(nowMs).toISOString(),
      ':now': nowMs,
    },
  };
}

/** Returns the update that records the result of an attempt, and ends it. */
export function recordResult(row: Delivery, result: AttemptResult, nowMs: number): RowUpdate {
  const { state, dueMs, reason, status } = result;
  const endedAt = state === 'PENDING' ? undefined : new Date(nowMs).toISOString();
  const values: Readonly<Record<string, unknown>> = {
    state,
    dueMs: dueMs ?? row.dueMs,
    reason,
    status,
    endedAt,
  };
  const names = Object.keys(values);
  const set = names.filter((name) => values[name] !== undefined);
  const removed = ['attemptUntilMs', ...names.filter((name) => values[name] === undefined)];
  return {
    UpdateExpression: `SET ${set.map((name) => `#${name} = :${name}`).join(', ')} REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
    ConditionExpression: SAME,
    ExpressionAttributeNames: Object.fromEntries(
      [...names, 'attemptUntilMs'].map((name) => [`#${name}`, name]),
    ),
    ExpressionAttributeValues: {
      ...valuesOf(row),
      ...Object.fromEntries(set.map((name) => [`:${name}`, values[name]])),
    },
  };
}
