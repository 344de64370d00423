import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { applyRecorded, type TransactItem } from '../../audit/audit-table.ts';
import { rowHashes } from '../../audit/row-hashes.ts';
import { monthAfter } from '../../core/accounting-month.ts';
import {
  ABSENT,
  changeTo,
  check,
  type Expression,
  listRows,
  put,
  query,
  readRow,
  update,
  where,
} from '../../core/expressions.ts';
import { CLOSING_PREFIX, closingKey, lotKey, paymentsPk, type WalletId } from '../../core/keys.ts';
import type { Lot } from '../lots/lot.ts';
import { type Closing, closing } from './closing.ts';

interface LotChange {
  readonly before: Lot;
  readonly after: Lot;
}

/** `before` is undefined if there is none. */
interface ClosingMove {
  readonly before: Closing | undefined;
  readonly after: Closing;
}

/** `<env>#<org>` / `CLOSE#<month>`. Writes return false if a row was changed in the meantime. */
export type ClosingTable = ReturnType<typeof closingTable>;

/** A transaction has at most 100 items. Most readers need the last one or two closings. */
const LOTS_PER_TRANSACTION = 90;
const PAGE_ROWS = 2;
const IS_OPEN = where`attribute_not_exists(pk) OR state = ${'REOPENED' satisfies Closing['state']}`;
const IS_CLOSED = where`state = ${'CLOSED' satisfies Closing['state']}`;

function itemsOf(tableName: string) {
  return {
    putClosing: (wallet: WalletId, { before, after }: ClosingMove): TransactItem =>
      put(
        tableName,
        { ...closingKey(wallet, after.month), ...after },
        before ? where`version = ${before.version}` : ABSENT,
      ),
    checkClosing: (wallet: WalletId, month: string, condition: Expression) =>
      check(tableName, closingKey(wallet, month), condition),
    // The condition fails if a withdrawal was made since.
    updateLot: (wallet: WalletId, { before, after }: LotChange): TransactItem =>
      update(
        tableName,
        lotKey(wallet, before.id),
        changeTo({ consumed: after.consumed, withdrawals: after.withdrawals, remaining: after.remaining }),
        where`remaining = ${before.remaining} AND size(withdrawals) = ${before.withdrawals.length}`,
      ),
    closingsTo(wallet: WalletId, upTo = '9999-12') {
      const [first, last] = [CLOSING_PREFIX, closingKey(wallet, upTo).sk];
      const keys = where`pk = ${paymentsPk(wallet)} AND sk BETWEEN ${first} AND ${last}`;
      return query(tableName, keys, { ScanIndexForward: false });
    },
  };
}

export function closingTable(client: DynamoDBDocumentClient, tableName: string) {
  const { putClosing, checkClosing, updateLot, closingsTo } = itemsOf(tableName);
  return {
    getClosing: (wallet: WalletId, month: string): Promise<Closing | undefined> =>
      readRow(client, closing, tableName, closingKey(wallet, month)),
    /** Up to a month, latest first. Consistent, a few at a time. */
    async *latestClosings(wallet: WalletId, upTo?: string): AsyncGenerator<Closing> {
      const pages = paginateQuery({ client, pageSize: PAGE_ROWS }, closingsTo(wallet, upTo));
      for await (const { Items = [] } of pages) for (const row of Items) yield v.parse(closing, row);
    },
    listClosings: (wallet: WalletId): Promise<Closing[]> => listRows(client, closing, closingsTo(wallet)),
    /** For the transaction of what is booked into the month. */
    requireOpen: (wallet: WalletId, month: string): TransactItem => checkClosing(wallet, month, IS_OPEN),
    /** If the month before has a row, it must be closed. */
    beginClosing: (wallet: WalletId, move: ClosingMove, afterMonth: string | undefined) =>
      applyRecorded(
        client,
        [
          putClosing(wallet, move),
          ...(afterMonth === undefined ? [] : [checkClosing(wallet, afterMonth, IS_CLOSED)]),
        ],
        [],
      ),
    /** Repeating it changes nothing. */
    async changeLots(wallet: WalletId, changes: readonly LotChange[]) {
      for (let first = 0; first < changes.length; first += LOTS_PER_TRANSACTION) {
        const some = changes.slice(first, first + LOTS_PER_TRANSACTION);
        const updates = some.map((change) => updateLot(wallet, change));
        if (!(await applyRecorded(client, updates, []))) return false;
      }
      return true;
    },
    /** In one transaction with its statement, and a record of both. */
    completeClosing(
      wallet: WalletId,
      move: ClosingMove,
      items: readonly TransactItem[],
      record: (rows: Record<string, string>) => readonly TransactItem[],
    ) {
      const writes = [putClosing(wallet, move), ...items];
      return applyRecorded(client, writes, record(rowHashes(writes)));
    },
    /** Returns false if the next month is closed or being closed. */
    reopenClosing: (wallet: WalletId, move: ClosingMove, record: readonly TransactItem[]) => {
      const next = monthAfter(move.after.month);
      return applyRecorded(client, [putClosing(wallet, move), checkClosing(wallet, next, IS_OPEN)], record);
    },
  };
}
