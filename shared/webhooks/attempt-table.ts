import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type Row, type RowUpdate, updateRow } from '../core/database.ts';
import { deliveryKey, endpointKey } from '../core/keys.ts';
import { type AttemptTimes, claimAttempt, recordResult } from './attempt-update.ts';
import { type AttemptResult, type Delivery, type DeliveryMessage, delivery } from './delivery.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

/** The rows that a message concerns. Each is undefined if it has expired. */
export interface MessageSubject {
  readonly endpoint: Endpoint | undefined;
  readonly delivery: Delivery | undefined;
}

/** The rows that delivery attempts read and write. */
export type AttemptTable = ReturnType<typeof attemptTable>;

export function attemptTable(client: DynamoDBDocumentClient, tableName: string) {
  const update = (row: Delivery, change: RowUpdate) =>
    updateRow(client, tableName, deliveryKey(row, row.endpointId, row.id), change, 'ALL_NEW');
  return {
    /** Reads both rows for a message in one round trip. */
    async readSubject(message: DeliveryMessage): Promise<MessageSubject> {
      const { endpointId, deliveryId } = message;
      const keys = [endpointKey(message, endpointId), deliveryKey(message, endpointId, deliveryId)];
      const rows = await batchGet(client, tableName, keys);
      const [hook, found] = keys.map(({ sk }) => rows.find((row: Row) => row['sk'] === sk));
      return { endpoint: hook && v.parse(endpoint, hook), delivery: found && v.parse(delivery, found) };
    },
    /**
     * Claims the next attempt, and returns the row. Returns undefined if another instance has claimed the attempt, or
     * if the delivery has ended or was started again.
     */
    async claimAttempt(row: Delivery, times: AttemptTimes): Promise<Delivery | undefined> {
      const { isApplied, row: after } = await update(row, claimAttempt(row, times));
      return isApplied ? v.parse(delivery, after) : undefined;
    },
    /**
     * Records a result. Returns false if, in the meantime, the delivery has ended or was started again, or a later
     * attempt was claimed.
     */
    async recordResult(row: Delivery, result: AttemptResult, nowMs: number) {
      return (await update(row, recordResult(row, result, nowMs))).isApplied;
    },
  };
}
