import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import { statementIndexKey, type WalletId } from '../../core/keys.ts';
import { type StatementEntry, statementEntry } from './statement.ts';

/** Reads the index `statement` of Wallets: one month of one shard, oldest entry first. Eventually consistent. */
export type StatementTable = ReturnType<typeof statementTable>;

const PAGE_ROWS = 200;
/** About a page of 1 MB, for readers of whole months. */
export const MONTH_PAGE_ROWS = 2_000;

export function statementTable(client: DynamoDBDocumentClient, tableName: string, pageSize = PAGE_ROWS) {
  return {
    /** Yields the entries with sort keys from `first` to `last`, both inclusive. Fetches pages as they are needed. */
    async *entries(
      wallet: WalletId,
      month: string,
      shard: number,
      first: string,
      last: string,
    ): AsyncGenerator<StatementEntry> {
      const pages = paginateQuery(
        { client, pageSize },
        {
          TableName: tableName,
          IndexName: 'statement',
          KeyConditionExpression: 'statementKey = :key AND statementSort BETWEEN :first AND :last',
          ExpressionAttributeValues: {
            ':key': statementIndexKey(wallet, month, shard),
            ':first': first,
            ':last': last,
          },
        },
      );
      for await (const page of pages) for (const item of page.Items ?? []) yield statementEntry(item);
    },
  };
}
