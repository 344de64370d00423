import { type DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { rejectedRequestsPk, rejectedRequestsSk, type WalletId } from '../core/keys.ts';
import { type RejectedRequests, readRejectedRow } from './rejected-request-table.ts';

/**
 * Reads parts of the rejected requests in ApiKeys, each with a single call, newest row first. Eventually consistent.
 * Expired rows count as deleted.
 */
export type RejectedPartTable = ReturnType<typeof rejectedPartTable>;

export function rejectedPartTable(client: DynamoDBDocumentClient, TableName: string) {
  const isKnown = (row: RejectedRequests | undefined): row is RejectedRequests => row !== undefined;
  return {
    /**
     * Returns the rows of one day (`yyyy-mm-dd`, UTC), for one label of an API key or for all. Reads at most `mostRead`
     * rows. `readTo` is the `sort` of the last row that was read, or undefined if there are no more.
     */
    async readRejected(
      { env, organisationId }: WalletId,
      day: string,
      { from, before }: { readonly from: string; readonly before: string },
      { key, mostRead }: { readonly key?: string | undefined; readonly mostRead: number },
      nowMs: number,
    ): Promise<{ readonly entries: readonly RejectedRequests[]; readonly readTo: string | undefined }> {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :before',
          ...(key !== undefined && { FilterExpression: 'keyLabel = :key' }),
          ExpressionAttributeValues: {
            ':pk': rejectedRequestsPk(organisationId, day),
            ':from': rejectedRequestsSk(env, from),
            ':before': rejectedRequestsSk(env, before),
            ...(key !== undefined && { ':key': key }),
          },
          ScanIndexForward: false,
          Limit: mostRead,
        }),
      );
      const entries = Items.map((item) => readRejectedRow(item, env, nowMs)).filter(isKnown);
      return {
        entries: entries.filter(({ sort }) => sort < before),
        readTo: LastEvaluatedKey && String(LastEvaluatedKey['sk']).slice(rejectedRequestsSk(env, '').length),
      };
    },
    /** Returns the row of one day that names this request ID. Reads at most the newest megabyte of the day. */
    async findRejected(
      { env, organisationId }: WalletId,
      day: string,
      requestId: string,
      nowMs: number,
    ): Promise<RejectedRequests | undefined> {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :env)',
          FilterExpression: 'requestId = :id',
          ExpressionAttributeValues: {
            ':pk': rejectedRequestsPk(organisationId, day),
            ':env': rejectedRequestsSk(env, ''),
            ':id': requestId,
          },
          ScanIndexForward: false,
        }),
      );
      return Items.map((item) => readRejectedRow(item, env, nowMs)).find(isKnown);
    },
  };
}
