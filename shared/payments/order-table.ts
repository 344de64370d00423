import { type DynamoDBDocumentClient, GetCommand, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { TransactItem } from '../audit/audit-table.ts';
import { collectRows, wasApplied } from '../core/database.ts';
import type { Environment } from '../core/environment.ts';
import { DUE_ORDERS, orderKey, orderOfPk, ordersIndexKey, sortByTime, type WalletId } from '../core/keys.ts';
import { type TopUpOrder, topUpOrder } from './order.ts';

/** What names an order. */
export type OrderRef = Pick<TopUpOrder, 'env' | 'reference'>;

/** Orders in Payments: `<env>#TOPUP#<reference>` / `ORDER`. A move applies only to the state and version that were read. */
export interface OrderTable {
  getOrder(env: Environment, reference: string): Promise<TopUpOrder | undefined>;
  /** Stores a new order. Returns false if there is one of this reference. */
  insertOrder(order: TopUpOrder): Promise<boolean>;
  /** Returns the put of a new order, for a transaction. */
  insertItem(order: TopUpOrder): TransactItem;
  /** Replaces an order with its next version. Returns false if another process changed it: read it again. */
  moveOrder(before: TopUpOrder, after: TopUpOrder): Promise<boolean>;
  /** Returns the put of a move, for a transaction. */
  moveItem(before: TopUpOrder, after: TopUpOrder): TransactItem;
  /** All orders of a wallet, newest first. Eventually consistent. */
  listOrders(wallet: WalletId): Promise<TopUpOrder[]>;
  /** At most `limit` orders about which to ask Paystack, longest due first. Eventually consistent. */
  listDue(nowIso: string, limit?: number): Promise<OrderRef[]>;
}

const MOST_DUE = 1_000;

export function orderTable(client: DynamoDBDocumentClient, tableName: string): OrderTable {
  const item = (order: TopUpOrder) => ({
    ...orderKey(order.env, order.reference),
    ...order,
    ordersKey: ordersIndexKey(order),
    ordersSort: sortByTime(order.openedAt, order.reference),
    ...(order.dueAt && { dueKey: DUE_ORDERS, dueSort: sortByTime(order.dueAt, order.reference) }),
  });
  const insert = (order: TopUpOrder) => ({
    TableName: tableName,
    Item: item(order),
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  const move = (before: TopUpOrder, after: TopUpOrder) => ({
    TableName: tableName,
    Item: item({ ...after, version: before.version + 1 }),
    ConditionExpression: '#state = :state AND version = :version',
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: { ':state': before.state, ':version': before.version },
  });
  return {
    async getOrder(env, reference) {
      const Key = orderKey(env, reference);
      const { Item } = await client.send(new GetCommand({ TableName: tableName, Key, ConsistentRead: true }));
      return Item && v.parse(topUpOrder, Item);
    },
    insertOrder: (order) => wasApplied(client.send(new PutCommand(insert(order)))),
    insertItem: (order) => ({ Put: insert(order) }),
    moveOrder: (before, after) => wasApplied(client.send(new PutCommand(move(before, after)))),
    moveItem: (before, after) => ({ Put: move(before, after) }),
    async listOrders(wallet) {
      const query = {
        TableName: tableName,
        IndexName: 'orders',
        ScanIndexForward: false,
        KeyConditionExpression: 'ordersKey = :wallet',
        ExpressionAttributeValues: { ':wallet': ordersIndexKey(wallet) },
      };
      const rows = await collectRows(paginateQuery({ client }, query));
      return rows.map((row) => v.parse(topUpOrder, row));
    },
    async listDue(nowIso, limit = MOST_DUE) {
      const query = {
        TableName: tableName,
        IndexName: 'due',
        Limit: limit,
        KeyConditionExpression: 'dueKey = :due AND dueSort < :after',
        ExpressionAttributeValues: { ':due': DUE_ORDERS, ':after': sortByTime(nowIso, '~') },
      };
      const due: OrderRef[] = [];
      for await (const { Items = [] } of paginateQuery({ client }, query)) {
        due.push(...Items.map(({ pk }) => orderOfPk(String(pk))));
        if (due.length >= limit) break;
      }
      return due.slice(0, limit);
    },
  };
}
