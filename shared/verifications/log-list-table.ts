import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { attribute, type Expression, query, where } from '../core/expressions.ts';
import { DAY_PARTITIONS, type RowKey, timeIndexKey, type WalletId } from '../core/keys.ts';
import type { Sorted } from '../core/merge-sorted.ts';
import { type ListedRow, listedRow, referenceKeyOf } from './listed-log.ts';

/** The range of sort keys that a list reads: `from` is inclusive, and `before` is exclusive. */
export interface SortRange {
  readonly from: string;
  readonly before: string;
}

export type ListedLog = Sorted & { readonly kind: 'verification'; readonly row: ListedRow & RowKey };

/**
 * Reads the indexes `byTime` and `byReference` of VerificationLogs, newest row first. Eventually consistent. Expired
 * rows count as deleted.
 */
export type LogListTable = ReturnType<typeof logListTable>;

const PAGE_ROWS = 100;

/** Returns the condition for the rows of an index with this partition key, in this range and at its end. */
export function keysOf(index: 'Time' | 'Reference', key: string, { from, before }: SortRange): Expression {
  return where`${attribute(`${index.toLowerCase()}Key`)} = ${key} AND timeSort BETWEEN ${from} AND ${before}`;
}

/** Each call to DynamoDB reads at most `pageRows` rows. */
export function logListTable(client: DynamoDBDocumentClient, TableName: string, pageRows = PAGE_ROWS) {
  async function* rowsOf(index: 'Time' | 'Reference', key: string, range: SortRange, nowMs: number) {
    const input = query(TableName, keysOf(index, key, range), {
      IndexName: `by${index}`,
      ScanIndexForward: false,
    });
    for await (const page of paginateQuery({ client, pageSize: pageRows }, input))
      for (const item of page.Items ?? []) {
        const { timeSort: sort, ...row } = v.parse(listedRow, item);
        if (sort < range.before && row.expiresAt * 1000 > nowMs)
          yield { kind: 'verification', sort, row } as const;
      }
  }
  return {
    /** Returns the rows of one day (`yyyy-mm-dd`, UTC), separately for each of that day's partitions. */
    ofDay: (wallet: WalletId, day: string, range: SortRange, nowMs: number): AsyncGenerator<ListedLog>[] =>
      Array.from({ length: DAY_PARTITIONS }, (_, partition) =>
        rowsOf('Time', timeIndexKey(wallet, day, partition), range, nowMs),
      ),
    ofReference: (
      wallet: WalletId,
      reference: string,
      range: SortRange,
      nowMs: number,
    ): AsyncGenerator<ListedLog> => rowsOf('Reference', referenceKeyOf(wallet, reference), range, nowMs),
  };
}
