import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded, type TransactItem } from '../audit/audit-table.ts';
import { DAY_SECONDS } from '../core/clock.ts';
import { cancellationCodes, getRow, wasApplied } from '../core/database.ts';
import { ABSENT, listRows, PRESENT, put, query, remove, sendDelete, where } from '../core/expressions.ts';
import { erasedTag, erasureMarkerKey, logKey, logPk, type WalletId } from '../core/keys.ts';
import type { ErasureTable } from '../ledger/erase.ts';
import { listed, withoutDetails } from './listed-log.ts';

const { requestId, service, outcome, requestedAt, expiresAt } = listed.entries;
const taggedRow = v.object({
  operationId: v.string(),
  requestId,
  service,
  outcome,
  requestedAt,
  expiresAt,
  idempotencyHash: v.optional(v.string()),
});

/**
 * The writes to VerificationLogs that only an erasure makes: it writes markers, `<env>#<org>#ERASED` / number tag, and
 * moves log rows to another key. No function has permission for them.
 */
export function erasureTable(
  client: DynamoDBDocumentClient,
  tableName: string,
  retentionDays: number,
  record: (wallet: WalletId) => readonly TransactItem[] = () => [],
): ErasureTable {
  return {
    mark(wallet, numberTags, erasedAtMs) {
      const until = Math.ceil(erasedAtMs / 1000) + retentionDays * DAY_SECONDS;
      const isEarlier = where`attribute_not_exists(pk) OR erasedAtMs <= ${erasedAtMs}`;
      const puts = numberTags.map((numberTag) =>
        put(tableName, { ...erasureMarkerKey(wallet, numberTag), erasedAtMs, expiresAt: until }, isEarlier),
      );
      return applyRecorded(client, puts, record(wallet));
    },
    async rowsOf(wallet, numberTag) {
      const input = query(tableName, where`pk = ${logPk(wallet, numberTag)}`);
      return (await listRows(client, taggedRow, input)).map((row) => ({ ...row, numberTag }));
    },
    async anonymise(wallet, { numberTag, operationId }) {
      const key = logKey(wallet, numberTag, operationId);
      const existing = await getRow(client, tableName, key);
      if (!existing) return false;
      const row = withoutDetails(existing);
      const removal = remove(tableName, key, PRESENT);
      const moved = { ...row, ...logKey(wallet, erasedTag(operationId), operationId) };
      try {
        const items = [put(tableName, moved, ABSENT), removal];
        await client.send(new TransactWriteCommand({ TransactItems: items }));
        return true;
      } catch (error) {
        const codes = cancellationCodes(error);
        if (codes?.[1] === 'ConditionalCheckFailed') return false;
        if (codes?.[0] !== 'ConditionalCheckFailed') throw error;
      }
      // The sweeper has already written the anonymous row of this operation.
      return wasApplied(sendDelete(client, removal));
    },
  };
}
