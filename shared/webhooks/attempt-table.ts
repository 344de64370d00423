import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type Row, updateRow } from '../core/database.ts';
import { ABSENT, changeTo, type Expression, rowUpdate, where } from '../core/expressions.ts';
import { attemptKey, deliveryKey, endpointKey } from '../core/keys.ts';
import {
  type Attempt,
  type AttemptResult,
  type Delivery,
  type DeliveryMessage,
  delivery,
} from './delivery.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

/** Each is undefined if it has expired. */
export interface MessageSubject {
  readonly endpoint: Endpoint | undefined;
  readonly delivery: Delivery | undefined;
}

export type AttemptTable = ReturnType<typeof attemptTable>;

/** Epoch milliseconds. `dueMs`: if this attempt is interrupted. */
interface AttemptTimes {
  readonly nowMs: number;
  readonly untilMs: number;
  readonly dueMs: number;
}

const isSame = ({ round, attemptInRound }: Delivery) =>
  where`state = ${'PENDING'} AND round = ${round} AND attemptInRound = ${attemptInRound}`;

export function attemptTable(client: DynamoDBDocumentClient, tableName: string) {
  const update = (row: Delivery, values: Row, condition: Expression) => {
    const key = deliveryKey(row, row.endpointId, row.id);
    return updateRow(client, tableName, key, rowUpdate(changeTo(values), condition), 'ALL_NEW');
  };
  return {
    async readSubject(message: DeliveryMessage): Promise<MessageSubject> {
      const { endpointId, deliveryId } = message;
      const keys = [endpointKey(message, endpointId), deliveryKey(message, endpointId, deliveryId)];
      const rows = await batchGet(client, tableName, keys);
      const [hook, found] = keys.map(({ sk }) => rows.find((row: Row) => row['sk'] === sk));
      return { endpoint: hook && v.parse(endpoint, hook), delivery: found && v.parse(delivery, found) };
    },
    /** Undefined if another instance has the attempt, or the delivery has ended or was restarted. */
    async claimAttempt(
      row: Delivery,
      { nowMs, untilMs, dueMs }: AttemptTimes,
    ): Promise<Delivery | undefined> {
      const claimed = {
        attemptInRound: row.attemptInRound + 1,
        attempts: row.attempts + 1,
        attemptUntilMs: untilMs,
        dueMs,
        attemptedAt: new Date(nowMs).toISOString(),
      };
      const isFree = where`attribute_not_exists(attemptUntilMs) OR attemptUntilMs < ${nowMs}`;
      const { isApplied, row: after } = await update(row, claimed, where`${isSame(row)} AND (${isFree})`);
      return isApplied ? v.parse(delivery, after) : undefined;
    },
    /**
     * Returns false if, in the meantime, the delivery has ended or was started again, or a later attempt was claimed.
     */
    async recordResult(row: Delivery, { state, dueMs, reason, status }: AttemptResult, nowMs: number) {
      const endedAt = state === 'PENDING' ? undefined : new Date(nowMs).toISOString();
      const ended = { state, dueMs: dueMs ?? row.dueMs, reason, status, endedAt, attemptUntilMs: undefined };
      return (await update(row, ended, isSame(row))).isApplied;
    },
    /** An update, because a function that may put rows could replace a delivery. */
    async insertAttempt(row: Delivery, attempt: Attempt): Promise<void> {
      const key = attemptKey(row, row.endpointId, row.id, attempt.number);
      await updateRow(client, tableName, key, rowUpdate(changeTo({ ...attempt }), ABSENT));
    },
  };
}
