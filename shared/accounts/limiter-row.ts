import type { Row, RowUpdate } from '../core/database.ts';
import type { LimiterRows } from './account-table.ts';
import { type GuessRejection, guessRejection } from './guess-limit.ts';
import { DAILY_LOOK_UPS, DAILY_MISSES, networkChange } from './key-usage.ts';
import type { RateLimit } from './organisation.ts';
import { describe, isWithin, type RateDecision, tatChange, tatOf } from './rate-limit.ts';
import { attributeAt, staleAttributes } from './windowed-counter.ts';

/** What a request changes in the limiter row of its key: the TAT of requests, and the use of the key. */

export interface LimitedRequest {
  readonly keyHash: string;
  readonly rows: LimiterRows;
  readonly rate: RateLimit;
  /** Whether the request looks something up with a live key. The guess limit applies only to these. */
  readonly isLiveLookUp: boolean;
  readonly network?: string | undefined;
}

export interface LimiterDecision extends RateDecision, Partial<Pick<GuessRejection, 'guessLimit'>> {
  /** The network of the request, if the key's row contains other networks but not this one. */
  readonly newNetwork?: string | undefined;
  readonly changesNetworks?: boolean;
}

/** Returns the rejection if the rows do not allow the request, and otherwise undefined. `row` is the key's row. */
export function rejection(
  { rows, rate, isLiveLookUp }: LimitedRequest,
  row: Row,
  nowMs: number,
): LimiterDecision | undefined {
  const rejected = describe(false, tatOf(row), nowMs, rate);
  if (!isWithin(tatOf(row), nowMs, rate)) return rejected;
  const guesses = isLiveLookUp && guessRejection({ ...rows, key: row }, nowMs);
  return guesses ? { ...rejected, ...guesses } : undefined;
}

/** Returns the update that counts one request. `row` is the key's row. */
export function requestUpdate(
  { rate, isLiveLookUp, network }: LimitedRequest,
  row: Row,
  nowMs: number,
): RowUpdate {
  const tat = tatChange(row, nowMs, rate);
  const origin = networkChange(row, network, nowMs);
  const removes = [...staleAttributes([DAILY_LOOK_UPS, DAILY_MISSES], row, nowMs), ...origin.removes];
  return {
    UpdateExpression: [
      `SET ${[tat.set, 'usedAtMs = :now', ...origin.sets].join(', ')}`,
      isLiveLookUp ? `ADD ${attributeAt(DAILY_LOOK_UPS, nowMs)} :one` : '',
      removes.length > 0 ? `REMOVE ${removes.join(', ')}` : '',
    ].join(' '),
    ConditionExpression: tat.condition,
    // DynamoDB rejects an empty map of names.
    ...(Object.keys(origin.names).length > 0 && { ExpressionAttributeNames: origin.names }),
    ExpressionAttributeValues: {
      ...tat.values,
      ...origin.values,
      ':now': nowMs,
      ...(isLiveLookUp && { ':one': 1 }),
    },
  };
}
