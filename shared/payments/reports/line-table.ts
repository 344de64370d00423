import { type DynamoDBDocumentClient, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { query, scan, where } from '../../core/expressions.ts';
import { statementIndexKey, type WalletId } from '../../core/keys.ts';
import { type Charge, charge } from '../../ledger/rows/charge.ts';
import { type Credit, credit } from '../../ledger/rows/credit.ts';

/** A whole row of the index `statement`, because reports need more of it than a customer's statement shows. */
export type LedgerLine = { readonly sort: string } & (
  | { readonly charge: Charge; readonly credit?: never }
  | { readonly credit: Credit; readonly charge?: never }
);

/**
 * The rows that reports read from Wallets: credits and CHARGED rows of a wallet, and the charge rows of all live
 * wallets.
 */
export type LineTable = ReturnType<typeof lineTable>;

const call = v.pick(charge, ['provider', 'service', 'outcome']);
/** The parts of a charge row that a report on providers needs. */
type Call = v.InferOutput<typeof call>;

const PAGE_ROWS = 500;
const LIVE = 'live';

export function lineTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /**
     * Yields the lines of one month (UTC) of one shard with sort keys from `first` to `last`, both inclusive, oldest
     * first.
     */
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
    /**
     * Yields the charge rows, including VOID rows, of live requests from `from` (inclusive) to `to` (exclusive), ISO
     * times. Scans the table.
     */
    async *liveCalls(from: string, to: string): AsyncGenerator<Call> {
      const filter = where`begins_with(pk, ${LIVE}) AND sk = ${'CHARGE'} AND requestedAt >= ${from} AND requestedAt < ${to}`;
      const options = { ConsistentRead: false, ProjectionExpression: 'provider, service, outcome' };
      for await (const { Items = [] } of paginateScan({ client }, scan(tableName, filter, options)))
        for (const row of Items) yield v.parse(call, row);
    },
  };
}
