import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { DAY_SECONDS } from '../core/clock.ts';
import { batchGet, wasApplied } from '../core/database.ts';
import { ABSENT, joined, listRows, put, query, readPage, sendWrite, where } from '../core/expressions.ts';
import { erasedTag, logKey, logPk, type RowKey, requestIndexKey, type WalletId } from '../core/keys.ts';
import type { KeyUse } from '../ledger/key-use.ts';
import type { LogEntry } from '../ledger/rows/log-entry.ts';
import { lateLog } from './late-log-table.ts';
import { listed, logIndexKeys } from './listed-log.ts';

/**
 * VerificationLogs: `<env>#<org>#<number tag>` / operation ID. Rows are written once, deleted after the retention
 * period, and contain no identity data: the number appears only as its tag. The table can:
 * - write a row once (late-log-table.ts contains the writes that depend on erasures)
 * - check whether this organisation has verified a number (for slips)
 * - find a row by its request ID, through the index `byRequest`
 */
export const logRow = v.object({
  ...listed.entries,
  operationId: v.string(),
  replayedRequestId: v.optional(v.string()),
  consent: v.optional(v.string()),
  reason: v.optional(v.string()),
  code: v.optional(v.string()),
  matchOverall: v.optional(v.string()),
  failedProviders: v.optional(v.array(v.string())),
  registryMs: v.optional(v.number()),
  ledgerMs: v.optional(v.number()),
  checksMs: v.optional(v.number()),
});
export type LogRow = v.InferOutput<typeof logRow>;

export type LogTable = ReturnType<typeof logTable>;

/**
 * `client` may retry calls. `onceClient` must not, because a function that was frozen could then write its row under a
 * tag that was erased in the meantime (see `logRequest`).
 */
export function logTable(
  client: DynamoDBDocumentClient,
  onceClient: DynamoDBDocumentClient,
  tableName: string,
  retentionDays: number,
) {
  const itemOf = ({ wallet, numberTag, ...entry }: LogEntry) => ({
    ...logKey(wallet, numberTag, entry.operationId),
    ...entry,
    requestKey: requestIndexKey(wallet, entry.requestId),
    ...logIndexKeys(wallet, entry),
    expiresAt: Math.floor(Date.parse(entry.requestedAt) / 1000) + retentionDays * DAY_SECONDS,
  });
  const write = async (sender: DynamoDBDocumentClient, entry: LogEntry) => {
    await wasApplied(sendWrite(sender, put(tableName, itemOf(entry), ABSENT)));
  };
  return {
    writeOnce: (entry: LogEntry) => write(onceClient, entry),
    ...lateLog(client, tableName, (entry) => write(client, entry), itemOf),
    /** Reads whole rows by the keys of listed ones, in any order. */
    async readRows(keys: readonly RowKey[]): Promise<LogRow[]> {
      const read = await batchGet(
        client,
        tableName,
        keys.map((key) => ({ ...key })),
      );
      return read.map((item) => v.parse(logRow, item));
    },
    /** Whether one of these services found this number for this organisation and environment. Strongly consistent. */
    async wasVerified(
      wallet: WalletId,
      numberTags: readonly string[],
      services: readonly string[],
      nowMs: number,
    ) {
      for (const numberTag of numberTags)
        if (await anyVerified(client, tableName, logPk(wallet, numberTag), services, nowMs)) return true;
      return false;
    },
    /**
     * Returns the rows of the requests with one idempotency key, newest first: those with the number of this request,
     * and after an erasure those of `operationIds`.
     */
    async ofKey(
      wallet: WalletId,
      { keyHash, requestId, operationIds }: Pick<KeyUse, 'keyHash' | 'requestId' | 'operationIds'>,
      nowMs: number,
    ): Promise<LogRow[]> {
      const keys = where`requestKey = ${requestIndexKey(wallet, requestId)}`;
      const { Items = [] } = await readPage(client, query(tableName, keys, { IndexName: 'byRequest' }));
      const first = Items.find((item) => item['sk'] === operationIds[0]);
      const filter = where`idempotencyHash = ${keyHash}`;
      const [ofNumber, erased] = await Promise.all([
        first ? listRows(client, logRow, query(tableName, where`pk = ${first['pk']}`, { filter })) : [],
        batchGet(
          client,
          tableName,
          operationIds.map((id) => logKey(wallet, erasedTag(id), id)),
        ),
      ]);
      return newestFirst([...ofNumber, ...erased.map((item) => v.parse(logRow, item))], nowMs);
    },
    /**
     * Returns the rows with a request ID, newest first. Request IDs have only 48 random bits, so requests may share
     * one.
     */
    async findByRequest(wallet: WalletId, requestId: string, nowMs: number): Promise<LogRow[]> {
      const keys = where`requestKey = ${requestIndexKey(wallet, requestId)}`;
      const { Items = [] } = await readPage(client, query(tableName, keys, { IndexName: 'byRequest' }));
      return newestFirst(
        Items.map((item) => v.parse(logRow, item)),
        nowMs,
      );
    },
  };
}

/** Without expired rows. */
function newestFirst(rows: readonly LogRow[], nowMs: number): LogRow[] {
  return rows
    .filter(({ expiresAt }) => expiresAt * 1000 > nowMs)
    .sort((a, b) => b.operationId.localeCompare(a.operationId));
}

async function anyVerified(
  client: DynamoDBDocumentClient,
  tableName: string,
  pk: string,
  services: readonly string[],
  nowMs: number,
): Promise<boolean> {
  const filter = where`outcome = ${'FOUND'} AND expiresAt > ${nowMs / 1000} AND service IN (${joined(services)})`;
  const input = query(tableName, where`pk = ${pk}`, { filter, ScanIndexForward: false });
  for await (const page of paginateQuery({ client }, input)) if ((page.Count ?? 0) > 0) return true;
  return false;
}
