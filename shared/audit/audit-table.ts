import { setTimeout as pause } from 'node:timers/promises';
import {
  type DynamoDBDocumentClient,
  paginateQuery,
  paginateScan,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { cancellationCodes, collectRows, type Row } from '../core/database.ts';
import { ABSENT, put, query, readPage, scan, where } from '../core/expressions.ts';
import { APPROVALS_PK, auditKey, auditPk } from '../core/keys.ts';
import { type AuditEntry, auditEntry } from './audit-entry.ts';

/** `ORG#<org>` or `STAGE` / ULID. */
export type AuditTable = ReturnType<typeof auditTable>;

export type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export function auditTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** It belongs in the transaction of the change that the entry records. */
    entryItem: (entry: AuditEntry): TransactItem =>
      put(tableName, { ...auditKey(entry.organisationId, entry.id), ...entry }, ABSENT),
    /** Newest first. */
    async listEntries(organisationId: string): Promise<AuditEntry[]> {
      const rows = await newestFirst(client, tableName, auditPk(organisationId));
      return rows.map((row) => v.parse(auditEntry, row));
    },
    /** IDs are inclusive. One read of at most `limit`. */
    async readEntries(
      organisationId: string,
      { first, last }: { readonly first: string; readonly last: string },
      limit: number,
    ): Promise<{ readonly entries: readonly AuditEntry[]; readonly isLast: boolean }> {
      const keys = where`pk = ${auditPk(organisationId)} AND sk BETWEEN ${first} AND ${last}`;
      const input = query(tableName, keys, { ScanIndexForward: false, Limit: limit });
      const { Items = [], LastEvaluatedKey } = await readPage(client, input);
      return {
        entries: Items.map((row) => v.parse(auditEntry, row)),
        isLast: LastEvaluatedKey === undefined,
      };
    },
    /** Newest first. A scan. */
    async listAllEntries(): Promise<AuditEntry[]> {
      // Approvals were once in this table.
      const input = scan(tableName, where`pk <> ${APPROVALS_PK}`);
      const rows = await collectRows(paginateScan({ client }, input));
      return rows.map((row) => v.parse(auditEntry, row)).sort((a, b) => (a.id < b.id ? 1 : -1));
    },
  };
}

/** Within each kind, because sort keys end with ULIDs. */
export function newestFirst(client: DynamoDBDocumentClient, tableName: string, pk: string): Promise<Row[]> {
  const input = query(tableName, where`pk = ${pk}`, { ScanIndexForward: false });
  return collectRows(paginateQuery({ client }, input));
}

/** For an action without a single transaction, such as a whole erasure. */
export async function recordAlone(
  client: DynamoDBDocumentClient,
  record: readonly TransactItem[],
): Promise<void> {
  if (record.length > 0) await client.send(new TransactWriteCommand({ TransactItems: [...record] }));
}

const MAX_ATTEMPTS = 5;
const PAUSE_MS = 50;

/**
 * Returns false if a condition failed. Throws if the transaction was cancelled otherwise. Nothing was then written.
 */
export async function applyRecorded(
  client: DynamoDBDocumentClient,
  writes: readonly TransactItem[],
  record: readonly TransactItem[],
): Promise<boolean> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await client.send(new TransactWriteCommand({ TransactItems: [...writes, ...record] }));
      return true;
    } catch (error) {
      const codes = cancellationCodes(error);
      if (codes?.slice(0, writes.length).includes('ConditionalCheckFailed')) return false;
      // Requests write some of these rows too.
      if (attempts === MAX_ATTEMPTS || !codes?.includes('TransactionConflict')) throw error;
      await pause(PAUSE_MS * attempts);
    }
  }
}
