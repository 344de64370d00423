import {
  type DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { batchGet, type Row } from '../../core/database.ts';
import {
  chargeKey,
  creditKey,
  DAY_PARTITIONS,
  requestIndexKey,
  statementIndexKey,
  timeIndexKey,
  type WalletId,
} from '../../core/keys.ts';
import type { StatementRange } from '../statement/read-statement.ts';
import { monthsBetween } from '../statement/statement.ts';
import { shardTable } from '../tables/shard-table.ts';
import { sealTable } from './seal-table.ts';
import type { WalletReading } from './wallet-totals.ts';

export type ScannedTable = 'wallets' | 'logs';

interface CreditName {
  readonly wallet: WalletId;
  readonly reference: string;
}

/**
 * Reads rows by day through the indexes, which are eventually consistent, and parts of the tables. Items are unparsed.
 * Of the functions, only the reconciler may scan the tables.
 */
export type ReconcileTable = ReturnType<typeof reconcileTable>;

export function reconcileTable(client: DynamoDBDocumentClient, walletsTable: string, logsTable: string) {
  const shardsOf = shardTable(client, walletsTable);

  async function* query(TableName: string, IndexName: string, condition: string, values: Row) {
    const input = {
      TableName,
      IndexName,
      KeyConditionExpression: condition,
      ExpressionAttributeValues: values,
    };
    for await (const page of paginateQuery({ client }, input)) yield page.Items ?? [];
  }

  return {
    seals: sealTable(client, walletsTable),
    shards: shardsOf,
    async readShards(wallet: WalletId, shardCount: number): Promise<WalletReading> {
      const fromMs = Date.now();
      const refs = Array.from({ length: shardCount }, (_, shard) => ({ wallet, shard }));
      // A busy wallet of several shards may not allow a snapshot. Each shard is then read separately.
      const snapshot = await shardsOf.snapshot(wallet, shardCount);
      const shards = snapshot ?? (await shardsOf.getShards(refs)).map(({ row }) => row);
      return { fromMs, toMs: Date.now(), shards };
    },
    /**
     * Returns the charges and credits of a wallet with times in the range, in pages. The index `statement` contains
     * whole rows.
     */
    async *linePages(
      wallet: WalletId,
      shards: number,
      { from, to }: StatementRange,
    ): AsyncGenerator<readonly Row[]> {
      const condition = 'statementKey = :key AND statementSort BETWEEN :from AND :to';
      for (const month of monthsBetween(from, to))
        for (let shard = 0; shard < shards; shard += 1) {
          const key = statementIndexKey(wallet, month, shard);
          yield* query(walletsTable, 'statement', condition, { ':key': key, ':from': from, ':to': to });
        }
    },
    /**
     * Returns the log rows of the requests of a UTC day, in pages. Rows with the same time and operation ID are
     * adjacent.
     */
    async *logPagesOfDay(wallet: WalletId, day: string): AsyncGenerator<readonly Row[]> {
      for (let partition = 0; partition < DAY_PARTITIONS; partition += 1)
        yield* query(logsTable, 'byTime', 'timeKey = :key', { ':key': timeIndexKey(wallet, day, partition) });
    },
    /** Returns all log rows of a request ID. */
    async logItems(wallet: WalletId, requestId: string): Promise<Row[]> {
      const answer = await client.send(
        new QueryCommand({
          TableName: logsTable,
          IndexName: 'byRequest',
          KeyConditionExpression: 'requestKey = :key',
          ExpressionAttributeValues: { ':key': requestIndexKey(wallet, requestId) },
        }),
      );
      return answer.Items ?? [];
    },
    /** Returns the charge rows of these operations, read consistently. */
    chargeItems: (wallet: WalletId, operationIds: readonly string[]): Promise<Row[]> =>
      batchGet(
        client,
        walletsTable,
        [...new Set(operationIds)].map((id) => chargeKey(wallet, id)),
      ),
    /** Returns the credits with these references, read consistently. */
    creditItems: (credits: readonly CreditName[]): Promise<Row[]> =>
      batchGet(
        client,
        walletsTable,
        credits.map(({ wallet, reference }) => creditKey(wallet, reference)),
      ),
    /** Reads one of the equal parts into which the keys of a table are divided, consistently and in pages. */
    async *segmentPages(
      table: ScannedTable,
      segment: number,
      segments: number,
    ): AsyncGenerator<readonly Row[]> {
      const TableName = table === 'wallets' ? walletsTable : logsTable;
      const input = { TableName, ConsistentRead: true, Segment: segment, TotalSegments: segments };
      for await (const page of paginateScan({ client }, input)) yield page.Items ?? [];
    },
  };
}
