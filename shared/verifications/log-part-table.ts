import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { attribute, joined, query, readPage, where } from '../core/expressions.ts';
import { DAY_PARTITIONS, timeIndexKey, type WalletId } from '../core/keys.ts';
import type { Outcome } from '../core/outcome.ts';
import { listedRow, referenceKeyOf } from './listed-log.ts';
import { keysOf, type ListedLog, type SortRange } from './log-list-table.ts';

export interface ListPart<T> {
  readonly entries: readonly T[];
  /** The sort key of the last row that was read. Undefined if the whole range was read. */
  readonly readTo: string | undefined;
}

export interface PartOptions {
  readonly service?: string | undefined;
  readonly outcome?: Outcome | undefined;
  readonly key?: string | undefined;
  /**
   * The maximum number of rows to read, whether they match or not. Must be more than one, so that every part makes
   * progress.
   */
  readonly mostRead: number;
}

/**
 * Reads parts of the indexes `byTime` and `byReference` of VerificationLogs, each with a single call, newest row first.
 * Eventually consistent. Expired rows count as deleted.
 */
export type LogPartTable = ReturnType<typeof logPartTable>;

export function logPartTable(client: DynamoDBDocumentClient, TableName: string) {
  async function partOf(
    index: 'Time' | 'Reference',
    key: string,
    range: SortRange,
    { service, outcome, key: keyLabel, mostRead }: PartOptions,
    nowMs: number,
  ): Promise<ListPart<ListedLog>> {
    const wanted = Object.entries({ service, outcome, keyLabel }).flatMap(([name, value]) =>
      value === undefined ? [] : where`${attribute(name)} = ${value}`,
    );
    const input = query(TableName, keysOf(index, key, range), {
      IndexName: `by${index}`,
      filter: wanted.length > 0 ? joined(wanted, ' AND ') : undefined,
      ScanIndexForward: false,
      Limit: mostRead,
    });
    const { Items = [], LastEvaluatedKey } = await readPage(client, input);
    const entries = Items.map((item) => {
      const { timeSort: sort, ...row } = v.parse(listedRow, item);
      return { kind: 'verification', sort, row } as const;
    });
    return {
      entries: entries.filter(({ sort, row }) => sort < range.before && row.expiresAt * 1000 > nowMs),
      readTo: LastEvaluatedKey && v.parse(v.string(), LastEvaluatedKey['timeSort']),
    };
  }
  return {
    /** Reads a part of each partition of one day (`yyyy-mm-dd`, UTC). */
    readDay: (
      wallet: WalletId,
      day: string,
      range: SortRange,
      options: PartOptions,
      nowMs: number,
    ): Promise<ListPart<ListedLog>>[] =>
      Array.from({ length: DAY_PARTITIONS }, (_, partition) =>
        partOf('Time', timeIndexKey(wallet, day, partition), range, options, nowMs),
      ),
    readReference: (
      wallet: WalletId,
      reference: string,
      range: SortRange,
      options: PartOptions,
      nowMs: number,
    ): Promise<ListPart<ListedLog>> =>
      partOf('Reference', referenceKeyOf(wallet, reference), range, options, nowMs),
  };
}
