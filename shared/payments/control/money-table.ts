import { type DynamoDBDocumentClient, GetCommand, paginateQuery, paginateScan } from '@aws-sdk/lib-dynamodb';
import { batchGet, collectRows, getRow, type Row } from '../../core/database.ts';
import type { Environment } from '../../core/environment.ts';
import { projection, query, where } from '../../core/expressions.ts';
import {
  automaticTopUpKey,
  billingKey,
  counterKey,
  creditKey,
  DOCUMENT_PREFIX,
  DUE_REFUNDS,
  DUE_REVIEW,
  orderKey,
  ordersIndexKey,
  paymentsPk,
  pricesPk,
  REFUND_PREFIX,
  referenceKey,
  type WalletId,
} from '../../core/keys.ts';
import type { partOfDay } from '../../ledger/reconcile/money.ts';
import { WITHOUT_CARD } from '../automatic/automatic-top-up.ts';
import { OWNER_ATTRIBUTES } from './check-owners.ts';

const INDEX_DUE = { IndexName: 'due' };

/** The rows about money as they are stored, for the reconciliation. Items are unparsed. */
export type MoneyTable = ReturnType<typeof moneyTable>;

export function moneyTable(
  client: DynamoDBDocumentClient,
  { payments, wallets }: Readonly<Record<'payments' | 'wallets' | 'auditTrail', string>>,
) {
  const rowsOf = (input: ReturnType<typeof query>) => collectRows(paginateQuery({ client }, input));
  return {
    /** Lots, closings and documents. */
    walletItems: (wallet: WalletId): Promise<Row[]> =>
      rowsOf(query(payments, where`pk = ${paymentsPk(wallet)}`)),
    /** Those whose numbers begin with `number`. */
    documentItems: (wallet: WalletId, number = ''): Promise<Row[]> =>
      rowsOf(
        query(payments, where`pk = ${paymentsPk(wallet)} AND begins_with(sk, ${DOCUMENT_PREFIX + number})`),
      ),
    /** The keys of what a function sends or a person reviews, refunds among them. Eventually consistent. */
    async dueItems(): Promise<Row[]> {
      const due = [DUE_REFUNDS, DUE_REVIEW].map((key) => query(payments, where`dueKey = ${key}`, INDEX_DUE));
      return (await Promise.all(due.map(rowsOf))).flat();
    },
    /** Eventually consistent. */
    orderItems: (wallet: WalletId): Promise<Row[]> =>
      rowsOf(query(payments, where`ordersKey = ${ordersIndexKey(wallet)}`, { IndexName: 'orders' })),
    refundItems: (env: Environment, order: string): Promise<Row[]> =>
      rowsOf(query(payments, where`pk = ${orderKey(env, order).pk} AND begins_with(sk, ${REFUND_PREFIX})`)),
    priceItems: (organisationId: string | undefined): Promise<Row[]> =>
      rowsOf(query(payments, where`pk = ${pricesPk(organisationId)}`)),
    billingItem: (organisationId: string): Promise<Row | undefined> =>
      getRow(client, payments, billingKey(organisationId)),
    async automaticItem(organisationId: string): Promise<Row | undefined> {
      const input = { TableName: payments, Key: automaticTopUpKey(organisationId), ConsistentRead: true };
      const { Item } = await client.send(new GetCommand({ ...input, ...projection(WITHOUT_CARD) }));
      return Item;
    },
    /** The keys and organisations of the rows in one of the equal parts of the table. */
    async *partPages({ segment, segments }: ReturnType<typeof partOfDay>): AsyncGenerator<readonly Row[]> {
      const part = { Segment: segment, TotalSegments: segments };
      const input = { TableName: payments, ConsistentRead: true, ...part, ...projection(OWNER_ATTRIBUTES) };
      for await (const { Items = [] } of paginateScan({ client }, input)) yield Items;
    },
    counterItem: (series: string): Promise<Row | undefined> => getRow(client, payments, counterKey(series)),
    /** The credits with these references, and the rows that keep others from using a reference. */
    creditItems: (wallet: WalletId, references: readonly string[]): Promise<Row[]> =>
      batchGet(
        client,
        wallets,
        references.flatMap((reference) => [
          creditKey(wallet, reference),
          referenceKey(wallet.env, reference),
        ]),
      ),
  };
}
