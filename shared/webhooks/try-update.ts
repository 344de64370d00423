import type { RowUpdate } from '../core/database.ts';
import type { Delivery, TryResult } from './delivery.ts';

/**
 * The conditional changes that tries make to the row of a delivery. Each change applies only to the round and attempt
 * that were read.
 */

const SAME = '#state = :pending AND round = :round AND attempt = :attempt';
const valuesOf = ({ round, attempt }: Delivery) => ({
  ':pending': 'PENDING',
  ':round': round,
  ':attempt': attempt,
});

/** The times of a try, in epoch milliseconds. `dueMs`: when the next try is due if this one is interrupted. */
export interface TryTimes {
  readonly nowMs: number;
  readonly untilMs: number;
  readonly dueMs: number;
}

/** Claims the next try, unless another instance is trying. */
export function claimTry(row: Delivery, { nowMs, untilMs, dueMs }: TryTimes): RowUpdate {
  return {
    UpdateExpression: 'SET attempt = :next, tries = :tries, tryUntilMs = :until, dueMs = :due, triedAt = :at',
    ConditionExpression: `${SAME} AND (attribute_not_exists(tryUntilMs) OR tryUntilMs < :now)`,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: {
      ...valuesOf(row),
      ':next': row.attempt + 1,
      ':tries': row.tries + 1,
      ':until': untilMs,
      ':due': dueMs,
      ':at': new Date(nowMs).toISOString(),
      ':now': nowMs,
    },
  };
}

/** Records the result of a try, and ends it. */
export function recordResult(row: Delivery, result: TryResult, nowMs: number): RowUpdate {
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
  const removed = ['tryUntilMs', ...names.filter((name) => values[name] === undefined)];
  return {
    UpdateExpression: `SET ${set.map((name) => `#${name} = :${name}`).join(', ')} REMOVE ${removed.map((name) => `#${name}`).join(', ')}`,
    ConditionExpression: SAME,
    ExpressionAttributeNames: Object.fromEntries([...names, 'tryUntilMs'].map((name) => [`#${name}`, name])),
    ExpressionAttributeValues: {
      ...valuesOf(row),
      ...Object.fromEntries(set.map((name) => [`:${name}`, values[name]])),
    },
  };
}
