import {
  type DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, cancellationCodes, getRow, type Row, wasApplied } from '../../core/database.ts';
import { RECONCILIATION_KEY, sealHeadKey, sealKey, sealsPk, type WalletId } from '../../core/keys.ts';
import {
  newHead,
  type ReconciliationRun,
  reconciliationRun,
  type Seal,
  type SealHead,
  seal,
  sealHead,
  unreadableRun,
} from './seal.ts';

/**
 * Seals in Wallets: `<env>#<org>#SEALS` / day, each written in one transaction with the wallet's `HEAD` in the same
 * partition. The progress of a run is one row for the stage. Each write requires an unchanged version, because
 * invocations may overlap.
 */
export type SealTable = ReturnType<typeof sealTable>;

/** Requires the previous version or, for version 1, no row. */
function versioned(TableName: string, key: object, row: { readonly version: number }) {
  return {
    TableName,
    Item: { ...key, ...row },
    ...(row.version === 1
      ? {
          // Or one whose version cannot be read.
          ConditionExpression: 'attribute_not_exists(pk) OR NOT attribute_type(#version, :number)',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':number': 'N' },
        }
      : {
          ConditionExpression: '#version = :before',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: { ':before': row.version - 1 },
        }),
  };
}

/** A malformed one counts as missing, and the scan of the table reports it as unreadable. */
function readSeal(item: Row | undefined): Seal | undefined {
  const parsed = v.safeParse(seal, item);
  return parsed.success ? parsed.output : undefined;
}

/** One that cannot be read is replaced, and the run reports it. */
function readVersioned<T>(
  schema: v.GenericSchema<unknown, T>,
  item: Row | undefined,
  replacement: (version: number) => T,
): T | undefined {
  const parsed = v.safeParse(schema, item);
  if (!item || parsed.success) return parsed.success ? parsed.output : undefined;
  return replacement(typeof item['version'] === 'number' ? item['version'] : 0);
}

export function sealTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    async getHeads(wallets: readonly WalletId[]): Promise<(SealHead | undefined)[]> {
      const items = await batchGet(client, tableName, wallets.map(sealHeadKey));
      const read = (item: Row) => readVersioned(sealHead, item, (version) => ({ ...newHead('0'), version }));
      const byPk = new Map(items.map((item) => [item['pk'], read(item)]));
      return wallets.map((wallet) => byPk.get(sealsPk(wallet)));
    },
    /** Returns false if another invocation has written either. */
    async putSeal(wallet: WalletId, row: Seal, head: SealHead) {
      const put = {
        TableName: tableName,
        Item: { ...sealKey(wallet, row.day), ...row },
        ConditionExpression: 'attribute_not_exists(pk)',
      };
      const items = [{ Put: put }, { Put: versioned(tableName, sealHeadKey(wallet), head) }];
      try {
        await client.send(new TransactWriteCommand({ TransactItems: items }));
        return true;
      } catch (error) {
        if (cancellationCodes(error)) return false;
        throw error;
      }
    },
    putHead: (wallet: WalletId, head: SealHead) =>
      wasApplied(client.send(new PutCommand(versioned(tableName, sealHeadKey(wallet), head)))),
    async getSeal(wallet: WalletId, day: string): Promise<Seal | undefined> {
      return readSeal(await getRow(client, tableName, sealKey(wallet, day)));
    },
    /** Both days are inclusive. Pages are fetched as they are read. */
    async *seals(wallet: WalletId, first: string, last: string): AsyncGenerator<Seal> {
      const pages = paginateQuery(
        { client },
        {
          TableName: tableName,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: { ':pk': sealsPk(wallet), ':first': first, ':last': last },
        },
      );
      for await (const page of pages) yield* (page.Items ?? []).flatMap((item) => readSeal(item) ?? []);
    },
    async getRun(): Promise<ReconciliationRun | undefined> {
      const item = await getRow(client, tableName, RECONCILIATION_KEY);
      return readVersioned(reconciliationRun, item, unreadableRun);
    },
    putRun: (row: ReconciliationRun) =>
      wasApplied(client.send(new PutCommand(versioned(tableName, RECONCILIATION_KEY, row)))),
  };
}
