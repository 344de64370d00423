import { type DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { collectRows } from '../core/database.ts';
import { erasureMarkerKey, logPk, numberTagOf, type WalletId } from '../core/keys.ts';
import { type LogRow, logRow } from './log-table.ts';

/** The reads of VerificationLogs for the operator's reports. No function uses them. Expired rows count as deleted. */
export type LogReportTable = ReturnType<typeof logReportTable>;

interface KeyUse {
  readonly label: string;
  /** ISO times: `from` is inclusive, and `to` is exclusive. */
  readonly from: string;
  readonly to: string;
}

interface KeyPage {
  readonly rows: readonly TaggedRow[];
  /** How many rows of the table were read for this page. */
  readonly scanned: number;
}

export type TaggedRow = LogRow & { readonly numberTag: string };

const marker = v.object({ erasedAtMs: v.number() });

export function logReportTable(client: DynamoDBDocumentClient, TableName: string) {
  return {
    /** Returns the log rows about one number, oldest first. Strongly consistent. */
    async rowsOfNumber(wallet: WalletId, numberTags: readonly string[], nowMs: number): Promise<LogRow[]> {
      const found: LogRow[] = [];
      for (const numberTag of numberTags) {
        const query = {
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk',
          FilterExpression: 'expiresAt > :now',
          ExpressionAttributeValues: { ':pk': logPk(wallet, numberTag), ':now': nowMs / 1000 },
        };
        const rows = await collectRows(paginateQuery({ client }, query));
        found.push(...rows.map((row) => v.parse(logRow, row)));
      }
      return found.sort((a, b) => a.requestedAt.localeCompare(b.requestedAt));
    },
    /** Returns the time in the number's latest erasure marker, in epoch milliseconds. Undefined if there is none. */
    async erasedAtMs(
      wallet: WalletId,
      numberTags: readonly string[],
      nowMs: number,
    ): Promise<number | undefined> {
      const times: number[] = [];
      for (const numberTag of numberTags) {
        const { pk, sk } = erasureMarkerKey(wallet, numberTag);
        const query = {
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND sk = :sk',
          FilterExpression: 'expiresAt > :now',
          ExpressionAttributeValues: { ':pk': pk, ':sk': sk, ':now': nowMs / 1000 },
        };
        const rows = await collectRows(paginateQuery({ client }, query));
        times.push(...rows.map((row) => v.parse(marker, row).erasedAtMs));
      }
      return times.length > 0 ? Math.max(...times) : undefined;
    },
    /**
     * Returns the log rows of one wallet that have this key label and are from this period, in pages. Scans the whole
     * table.
     */
    async *pagesOfKey(wallet: WalletId, { label, from, to }: KeyUse, nowMs: number): AsyncGenerator<KeyPage> {
      const scan = {
        TableName,
        ConsistentRead: true,
        FilterExpression:
          'begins_with(pk, :wallet) AND keyLabel = :label AND requestedAt >= :from AND requestedAt < :to AND expiresAt > :now',
        ExpressionAttributeValues: {
          ':wallet': logPk(wallet, ''),
          ':label': label,
          ':from': from,
          ':to': to,
          ':now': nowMs / 1000,
        },
      };
      for await (const { Items = [], ScannedCount = 0 } of paginateScan({ client }, scan))
        yield {
          rows: Items.map((item) => ({
            ...v.parse(logRow, item),
            numberTag: numberTagOf(String(item['pk'])),
          })),
          scanned: ScannedCount,
        };
    },
  };
}
