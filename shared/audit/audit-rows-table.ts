import { type DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import type { Row } from '../core/database.ts';
import { query, where } from '../core/expressions.ts';
import { ulidRange } from '../core/ids.ts';
import { auditPk } from '../core/keys.ts';

/** Unparsed, in pages. */
export type AuditRowsTable = ReturnType<typeof auditRowsTable>;

const MAX_ULID_MS = 2 ** 48 - 1;

/** Reads the table with this name consistently. */
export function auditRowsTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Times are inclusive, epoch milliseconds. */
    async *partitionPages(
      organisationId: string | undefined,
      { fromMs, toMs } = { fromMs: 0, toMs: MAX_ULID_MS },
    ): AsyncGenerator<readonly Row[]> {
      const { first, last } = ulidRange(fromMs, toMs);
      const keys = where`pk = ${auditPk(organisationId)} AND sk BETWEEN ${first} AND ${last}`;
      const input = query(tableName, keys);
      for await (const { Items = [] } of paginateQuery({ client }, input)) yield Items;
    },
    /** Returns all rows. A scan. */
    async *rowPages(): AsyncGenerator<readonly Row[]> {
      const input = { TableName: tableName, ConsistentRead: true };
      for await (const { Items = [] } of paginateScan({ client }, input)) yield Items;
    },
  };
}
