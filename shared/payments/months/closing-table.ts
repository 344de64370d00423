import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded, type TransactItem } from '../../audit/audit-table.ts';
import { monthAfter } from '../../core/accounting-month.ts';
import { collectRows, getRow } from '../../core/database.ts';
import { CLOSING_PREFIX, closingKey, lotKey, paymentsPk, type WalletId } from '../../core/keys.ts';
import type { Lot } from '../lots/lot.ts';
import { type Closing, closing } from './closing.ts';

/** A lot before and after the closing of a month. */
interface LotChange {
  readonly before: Lot;
  readonly after: Lot;
}

/** A closing row before and after a move. `before` is undefined if there is none. */
interface ClosingMove {
  readonly before: Closing | undefined;
  readonly after: Closing;
}

/** Closings in Payments: `<env>#<org>` / `CLOSE#<month>`. Writes return false if a row was changed in the meantime. */
export type ClosingTable = ReturnType<typeof closingTable>;

/** A transaction has at most 100 items. Most readers need the last one or two closings. */
const LOTS_PER_TRANSACTION = 90;
const PAGE_ROWS = 2;
const STATE = { '#state': 'state' };
const IS_OPEN = 'attribute_not_exists(pk) OR #state = :state';

/** Returns functions that make the items and queries of one table. */
function itemsOf(TableName: string) {
  return {
    put: (wallet: WalletId, { before, after }: ClosingMove): TransactItem => ({
      Put: {
        TableName,
        Item: { ...closingKey(wallet, after.month), ...after },
        ...(before
          ? {
              ConditionExpression: '#version = :version',
              ExpressionAttributeNames: { '#version': 'version' },
              ExpressionAttributeValues: { ':version': before.version },
            }
          : { ConditionExpression: 'attribute_not_exists(pk)' }),
      },
    }),
    check: (wallet: WalletId, month: string, ConditionExpression: string, state: Closing['state']) => ({
      ConditionCheck: {
        TableName,
        Key: closingKey(wallet, month),
        ConditionExpression,
        ExpressionAttributeNames: STATE,
        ExpressionAttributeValues: { ':state': state },
      },
    }),
    // A withdrawal since the lot was read changes `remaining` and `withdrawals`, so the condition then fails.
    updateLot: (wallet: WalletId, { before, after }: LotChange): TransactItem => ({
      Update: {
        TableName,
        Key: lotKey(wallet, before.id),
        UpdateExpression: 'SET #consumed = :consumed, withdrawals = :withdrawals, remaining = :remaining',
        ConditionExpression: 'remaining = :before AND size(withdrawals) = :count',
        ExpressionAttributeNames: { '#consumed': 'consumed' },
        ExpressionAttributeValues: {
          ':consumed': after.consumed,
          ':withdrawals': after.withdrawals,
          ':remaining': after.remaining,
          ':before': before.remaining,
          ':count': before.withdrawals.length,
        },
      },
    }),
    query: (wallet: WalletId, upTo = '9999-12') => ({
      TableName,
      ConsistentRead: true,
      ScanIndexForward: false,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': paymentsPk(wallet),
        ':first': CLOSING_PREFIX,
        ':last': closingKey(wallet, upTo).sk,
      },
    }),
  };
}

export function closingTable(client: DynamoDBDocumentClient, tableName: string) {
  const { put, check, updateLot, query } = itemsOf(tableName);
  return {
    async getClosing(wallet: WalletId, month: string): Promise<Closing | undefined> {
      const row = await getRow(client, tableName, closingKey(wallet, month));
      return row && v.parse(closing, row);
    },
    /** Yields a wallet's closings up to a month (default: all), latest first. Reads consistently, a few at a time. */
    async *latestClosings(wallet: WalletId, upTo?: string): AsyncGenerator<Closing> {
      const pages = paginateQuery({ client, pageSize: PAGE_ROWS }, query(wallet, upTo));
      for await (const { Items = [] } of pages) for (const row of Items) yield v.parse(closing, row);
    },
    /** Returns all closings of a wallet, latest first. */
    async listClosings(wallet: WalletId): Promise<Closing[]> {
      const rows = await collectRows(paginateQuery({ client }, query(wallet)));
      return rows.map((row) => v.parse(closing, row));
    },
    /** Returns the check that a month is open, for the transaction of what is booked into it. */
    requireOpen: (wallet: WalletId, month: string): TransactItem => check(wallet, month, IS_OPEN, 'REOPENED'),
    /** Begins closing a month: nothing can then be booked into it. If the month before has a row, it must be closed. */
    beginClosing: (wallet: WalletId, move: ClosingMove, afterMonth: string | undefined) =>
      applyRecorded(
        client,
        [
          put(wallet, move),
          ...(afterMonth === undefined ? [] : [check(wallet, afterMonth, '#state = :state', 'CLOSED')]),
        ],
        [],
      ),
    /** Stores what a month took from lots. Repeating it changes nothing. */
    async changeLots(wallet: WalletId, changes: readonly LotChange[]) {
      for (let first = 0; first < changes.length; first += LOTS_PER_TRANSACTION) {
        const some = changes.slice(first, first + LOTS_PER_TRANSACTION);
        const updates = some.map((change) => updateLot(wallet, change));
        if (!(await applyRecorded(client, updates, []))) return false;
      }
      return true;
    },
    /** Completes a closing, in one transaction with its statement and its record. */
    completeClosing: (
      wallet: WalletId,
      move: ClosingMove,
      items: readonly TransactItem[],
      record: readonly TransactItem[],
    ) => applyRecorded(client, [put(wallet, move), ...items], record),
    /**
     * Reopens a month, in one transaction with its record. Returns false if the next month is closed or being closed.
     */
    reopenClosing: (wallet: WalletId, move: ClosingMove, record: readonly TransactItem[]) => {
      const next = monthAfter(move.after.month);
      return applyRecorded(client, [put(wallet, move), check(wallet, next, IS_OPEN, 'REOPENED')], record);
    },
  };
}
