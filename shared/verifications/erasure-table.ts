import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  paginateQuery,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded, type TransactItem } from '../audit/audit-table.ts';
import { DAY_SECONDS } from '../core/clock.ts';
import { cancellationCodes, collectRows, getRow, wasApplied } from '../core/database.ts';
import { erasedTag, erasureMarkerKey, logKey, logPk, type WalletId } from '../core/keys.ts';
import type { ErasureTable } from '../ledger/erase.ts';
import { withoutDetails } from './listed-log.ts';

const taggedRow = v.object({
  operationId: v.string(),
  requestedAt: v.string(),
  replayOf: v.optional(v.string()),
  idempotencyHash: v.optional(v.string()),
});

/**
 * The writes to VerificationLogs that only an erasure makes: it writes markers, `<env>#<org>#ERASED` / number tag, and
 * moves log rows to another key. No function has permission for them. `record` returns the items that record an erasure
 * in the audit trail.
 */
export function erasureTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  retentionDays: number,
  record: (wallet: WalletId) => readonly TransactItem[] = () => [],
): ErasureTable {
  return {
    mark(wallet, numberTags, erasedAtMs) {
      const expiresAt = Math.ceil(erasedAtMs / 1000) + retentionDays * DAY_SECONDS;
      const puts = numberTags.map((numberTag) => ({
        Put: {
          TableName: tableName,
          Item: { ...erasureMarkerKey(wallet, numberTag), erasedAtMs, expiresAt },
          ConditionExpression: 'attribute_not_exists(pk) OR erasedAtMs <= :time',
          ExpressionAttributeValues: { ':time': erasedAtMs },
        },
      }));
      return applyRecorded(client, puts, record(wallet));
    },
    async rowsOf(wallet, numberTag) {
      const query = {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': logPk(wallet, numberTag) },
      };
      const rows = await collectRows(paginateQuery({ client }, query));
      return rows.map((row) => ({ ...v.parse(taggedRow, row), numberTag }));
    },
    async anonymise(wallet, { numberTag, operationId }) {
      const Key = logKey(wallet, numberTag, operationId);
      const existing = await getRow(client, tableName, Key);
      if (!existing) return false;
      const row = withoutDetails(existing);
      const remove = { TableName: tableName, Key, ConditionExpression: 'attribute_exists(pk)' };
      const put = {
        TableName: tableName,
        Item: { ...row, ...logKey(wallet, erasedTag(operationId), operationId) },
        ConditionExpression: 'attribute_not_exists(pk)',
      };
      try {
        await client.send(new TransactWriteCommand({ TransactItems: [{ Put: put }, { Delete: remove }] }));
        return true;
      } catch (error) {
        const codes = cancellationCodes(error);
        if (codes?.[1] === 'ConditionalCheckFailed') return false;
        if (codes?.[0] !== 'ConditionalCheckFailed') throw error;
      }
      // The sweeper has already written the anonymous row of this operation.
      return wasApplied(client.send(new DeleteCommand(remove)));
    },
  };
}
