import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, cancellationCodes, type Row } from '../core/database.ts';
import { ABSENT, check, put, where } from '../core/expressions.ts';
import { erasedTag, erasureMarkerKey, logKey } from '../core/keys.ts';
import type { LogEntry, VerificationLog } from '../ledger/rows/log-entry.ts';
import { withoutDetails } from './listed-log.ts';

const marker = v.object({ erasedAtMs: v.number() });

/** Implements the operations of the log table that depend on erasure markers, `<env>#<org>#ERASED` / number tag. */
export function lateLog(
  client: DynamoDBDocumentClient,
  tableName: string,
  write: (entry: LogEntry) => Promise<void>,
  itemOf: (entry: LogEntry) => Row,
): Pick<VerificationLog, 'find' | 'writeUnlessErased' | 'writeErased'> {
  return {
    async find({ wallet, numberTag, operationId, requestedAt }) {
      const [logAt, markerAt] = [logKey(wallet, numberTag, operationId), erasureMarkerKey(wallet, numberTag)];
      const rows = await batchGet(client, tableName, [logAt, markerAt]);
      const found = rows.find(({ pk }) => pk === markerAt.pk);
      const erasedAtMs = found === undefined ? 0 : v.parse(marker, found).erasedAtMs;
      return {
        isLogged: rows.some(({ pk }) => pk === logAt.pk),
        isErased: erasedAtMs >= Date.parse(requestedAt),
        erasedAtMs,
      };
    },
    async writeUnlessErased(entry) {
      const isNotErased = where`attribute_not_exists(pk) OR erasedAtMs < ${Date.parse(entry.requestedAt)}`;
      const items = [
        check(tableName, erasureMarkerKey(entry.wallet, entry.numberTag), isNotErased),
        put(tableName, itemOf(entry), ABSENT),
      ];
      try {
        await client.send(new TransactWriteCommand({ TransactItems: items }));
        return 'logged';
      } catch (error) {
        const codes = cancellationCodes(error) ?? [];
        // If the number was erased, a row that is still under its tag does not count: the erasure moves it, or the
        // reconciliation reports it.
        if (codes[0] === 'ConditionalCheckFailed') return 'erased';
        if (codes[1] === 'ConditionalCheckFailed') return 'logged';
        throw error;
      }
    },
    writeErased(entry) {
      return write({ ...withoutDetails(entry), numberTag: erasedTag(entry.operationId) });
    },
  };
}
