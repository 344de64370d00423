import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { Row } from '../core/database.ts';
import { listRows, query, scan, where } from '../core/expressions.ts';
import { erasureMarkerKey, logPk, numberTagOf, type WalletId } from '../core/keys.ts';
import { type LogRow, logRow } from './log-table.ts';

interface KeyUse {
  readonly labels: ReadonlySet<string>;
  /** ISO times: `from` is inclusive, and `to` is exclusive. */
  readonly from: string;
  readonly to: string;
}

interface KeyPage {
  readonly rows: readonly TaggedRow[];
  readonly scanned: number;
}

export type TaggedRow = LogRow & { readonly numberTag: string };

const marker = v.object({ erasedAtMs: v.number() });

/** The reads of VerificationLogs for the operator's reports. Expired rows count as deleted. */
export function logReportTable(client: DynamoDBDocumentClient, TableName: string) {
  return {
    /** Returns the log rows about one number, oldest first. Strongly consistent. */
    async rowsOfNumber(wallet: WalletId, numberTags: readonly string[], nowMs: number): Promise<LogRow[]> {
      const found: LogRow[] = [];
      for (const numberTag of numberTags) {
        const filter = where`expiresAt > ${nowMs / 1000}`;
        const input = query(TableName, where`pk = ${logPk(wallet, numberTag)}`, { filter });
        found.push(...(await listRows(client, logRow, input)));
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
        const filter = where`expiresAt > ${nowMs / 1000}`;
        const input = query(TableName, where`pk = ${pk} AND sk = ${sk}`, { filter });
        times.push(...(await listRows(client, marker, input)).map((row) => row.erasedAtMs));
      }
      return times.length > 0 ? Math.max(...times) : undefined;
    },
    /** Returns the log rows of one wallet that have one of these key labels and are from this period, in pages. */
    async *pagesOfKey(
      wallet: WalletId,
      { labels, from, to }: KeyUse,
      nowMs: number,
    ): AsyncGenerator<KeyPage> {
      const isInPeriod = where`requestedAt >= ${from} AND requestedAt < ${to} AND expiresAt > ${nowMs / 1000}`;
      const filter = where`begins_with(pk, ${logPk(wallet, '')}) AND ${isInPeriod}`;
      // A filter has room for a few hundred labels.
      const hasLabel = ({ keyLabel }: Row) => labels.has(String(keyLabel));
      const pages = paginateScan({ client }, scan(TableName, filter));
      for await (const { Items = [], ScannedCount = 0 } of pages)
        yield {
          rows: Items.filter(hasLabel).map((item) => ({
            ...v.parse(logRow, item),
            numberTag: numberTagOf(String(item['pk'])),
          })),
          scanned: ScannedCount,
        };
    },
  };
}
