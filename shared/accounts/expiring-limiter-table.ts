import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Row, updateRow } from '../core/database.ts';
import type { RowKey } from '../core/keys.ts';
import type { RateLimit } from './organisation.ts';
import { describe, expiringUpdate, isWithin, type RateDecision, tatOf } from './rate-limit.ts';

const MAX_ATTEMPTS = 4;

/** Limits in rows of their own, which expire a day after the last request. */
export function expiringLimiterTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /**
     * Counts one request. `read` is the row as this request read it, or empty. At most one write succeeds. If that row
     * does not permit a request, rejects it without a call.
     */
    async take(key: RowKey, read: Row, nowMs: number, limit: RateLimit): Promise<RateDecision> {
      let row = read;
      for (let attempts = 0; attempts < MAX_ATTEMPTS && isWithin(tatOf(row), nowMs, limit); attempts += 1) {
        const result = await updateRow(client, tableName, key, expiringUpdate(row, nowMs, limit));
        row = result.row;
        if (result.isApplied) return describe(true, tatOf(row), nowMs, limit);
      }
      return describe(false, tatOf(row), nowMs, limit);
    },
  };
}
