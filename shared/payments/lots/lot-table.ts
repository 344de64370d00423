import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';

import type { TransactItem } from '../../audit/audit-table.ts';
import { collectRows, wasApplied } from '../../core/database.ts';
import {
  ABSENT,
  change,
  listRows,
  PRESENT,
  put,
  query,
  readRow,
  removal,
  sendWrite,
  update,
  where,
} from '../../core/expressions.ts';
import {
  DUE_LOTS,
  type DueEntry,
  LOT_PREFIX,
  lotIdOf,
  lotKey,
  paymentsPk,
  sortByTime,
  type WalletId,
  walletOfPk,
} from '../../core/keys.ts';
import { type Lot, lot, type Withdrawal } from './lot.ts';

/** A lot that has reached its expiry. */
export interface DueLot {
  readonly wallet: WalletId;
  readonly id: string;
}

/** A lot as it was read. */
type LotRead = Pick<Lot, 'id' | 'withdrawals'>;

/** Lots in Payments: `<env>#<org>` / `LOT#<ulid>`. */
export type LotTable = ReturnType<typeof lotTable>;

/** Until its expiry has been handled. */
export function dueOfLot({ expiresAt, id }: Lot): DueEntry {
  return expiresAt === undefined ? {} : { dueKey: DUE_LOTS, dueSort: sortByTime(expiresAt, id) };
}

export function lotTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Reads all lots of a wallet consistently, oldest first. */
    listLots(wallet: WalletId): Promise<Lot[]> {
      const keys = where`pk = ${paymentsPk(wallet)} AND begins_with(sk, ${LOT_PREFIX})`;
      return listRows(client, lot, query(tableName, keys));
    },
    getLot: (wallet: WalletId, id: string): Promise<Lot | undefined> =>
      readRow(client, lot, tableName, lotKey(wallet, id)),
    /** Returns the `Put` item of a new lot, for the transaction of its credit. */
    lotItem(wallet: WalletId, row: Lot): TransactItem {
      return put(tableName, { ...lotKey(wallet, row.id), ...row, ...dueOfLot(row) }, ABSENT);
    },
    /**
     * Returns the update that takes credits from a lot, for the transaction of their negative credit. Its condition is
     * that the lot still has them, and that nothing has been withdrawn since it was read.
     */
    withdrawItem(wallet: WalletId, { id, withdrawals }: LotRead, withdrawal: Withdrawal): TransactItem {
      const { credits } = withdrawal;
      return update(
        tableName,
        lotKey(wallet, id),
        change`SET remaining = remaining - ${credits}, withdrawals = list_append(withdrawals, ${[withdrawal]})`,
        // Charges of open months are not in `remaining`. Two withdrawals that were checked against the same charges
        // must therefore not both apply.
        where`remaining >= ${credits} AND size(withdrawals) = ${withdrawals.length}`,
      );
    },
    /**
     * Returns the lots whose expiry is not after `nowIso`, earliest first. Eventually consistent: read each before
     * acting on it.
     */
    async listDueLots(nowIso: string): Promise<DueLot[]> {
      const keys = where`dueKey = ${DUE_LOTS} AND dueSort < ${sortByTime(nowIso, '~')}`;
      const input = query(tableName, keys, { IndexName: 'due' });
      const rows = await collectRows(paginateQuery({ client }, input));
      return rows.flatMap(({ pk, sk }) => {
        const wallet = walletOfPk(String(pk));
        return wallet ? [{ wallet, id: lotIdOf(String(sk)) }] : [];
      });
    },
    /**
     * Removes a lot from those due to expire once its expiry has been handled. Returns false if there is no such lot.
     */
    endExpiry(wallet: WalletId, id: string) {
      const ended = update(tableName, lotKey(wallet, id), removal(['dueKey', 'dueSort']), PRESENT);
      return wasApplied(sendWrite(client, ended));
    },
  };
}
