import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { query, readPage, where } from '../core/expressions.ts';
import { rejectedRequestsPk, rejectedRequestsSk, type WalletId } from '../core/keys.ts';
import { type RejectedRequests, readRejectedRow, rejectedBetween } from './rejected-request-table.ts';

/**
 * Reads parts of the rejected requests in ApiKeys, each with a single call, newest row first. Eventually consistent.
 * Expired rows count as deleted.
 */
export type RejectedPartTable = ReturnType<typeof rejectedPartTable>;

const NEWEST_FIRST = { ConsistentRead: false, ScanIndexForward: false };

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
      const input = query(TableName, rejectedBetween({ env, organisationId }, day, { from, before }), {
        ...NEWEST_FIRST,
        filter: key === undefined ? undefined : where`keyLabel = ${key}`,
        Limit: mostRead,
      });
      const { Items = [], LastEvaluatedKey } = await readPage(client, input);
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
      const ofDay = where`pk = ${rejectedRequestsPk(organisationId, day)}`;
      const keys = where`${ofDay} AND begins_with(sk, ${rejectedRequestsSk(env, '')})`;
      const filter = where`requestId = ${requestId}`;
      const { Items = [] } = await readPage(client, query(TableName, keys, { ...NEWEST_FIRST, filter }));
      return Items.map((item) => readRejectedRow(item, env, nowMs)).find(isKnown);
    },
  };
}
