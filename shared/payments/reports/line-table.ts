import { type DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { query, scan, where } from '../../core/expressions.ts';
import { statementIndexKey, type WalletId } from '../../core/keys.ts';
import { type Charge, charge } from '../../ledger/rows/charge.ts';
import { type Credit, credit } from '../../ledger/rows/credit.ts';

/** Reports need more than a customer's statement shows. */
export type LedgerLine = { readonly sort: string } & (
  | { readonly charge: Charge; readonly credit?: never }
  | { readonly credit: Credit; readonly charge?: never }
);

export type LineTable = ReturnType<typeof lineTable>;

const call = v.pick(charge, ['provider', 'service', 'outcome']);
type Call = v.InferOutput<typeof call>;

const PAGE_ROWS = 500;
const LIVE = 'live';

export function lineTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** One month (UTC) of one shard. Sort keys are inclusive, oldest first. */
    async *lines(
      wallet: WalletId,
      utcMonth: string,
      shard: number,
      first: string,
      last: string,
    ): AsyncGenerator<LedgerLine> {
      const key = statementIndexKey(wallet, utcMonth, shard);
      const keys = where`statementKey = ${key} AND statementSort BETWEEN ${first} AND ${last}`;
      const input = query(tableName, keys, { IndexName: 'statement' });
      for await (const { Items = [] } of paginateQuery({ client, pageSize: PAGE_ROWS }, input))
        for (const row of Items) {
          const sort = String(row['statementSort']);
          if (row['sk'] === 'CHARGE') yield { sort, charge: v.parse(charge, row) };
          else yield { sort, credit: v.parse(credit, row) };
        }
    },
    /** Also VOID rows. `from` is inclusive, `to` exclusive, ISO times. A scan. */
    async *liveCalls(from: string, to: string): AsyncGenerator<Call> {
      const filter = where`begins_with(pk, ${LIVE}) AND sk = ${'CHARGE'} AND requestedAt >= ${from} AND requestedAt < ${to}`;
      const options = { ConsistentRead: false, ProjectionExpression: 'provider, service, outcome' };
      for await (const { Items = [] } of paginateScan({ client }, scan(tableName, filter, options)))
        for (const row of Items) yield v.parse(call, row);
    },
  };
}
