import { type DynamoDBDocumentClient, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { TransactItem } from '../../audit/audit-table.ts';
import { collectRows, wasApplied } from '../../core/database.ts';
import {
  DUE_LOTS,
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

export function lotTable(client: DynamoDBDocumentClient, tableName: string) {
  return {
    /** Reads all lots of a wallet consistently, oldest first. */
    async listLots(wallet: WalletId): Promise<Lot[]> {
      const query = {
        TableName: tableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :lots)',
        ExpressionAttributeValues: { ':pk': paymentsPk(wallet), ':lots': LOT_PREFIX },
      };
      const rows = await collectRows(paginateQuery({ client }, query));
      return rows.map((row) => v.parse(lot, row));
    },
    /** Returns the `Put` item of a new lot, for the transaction of its credit. */
    lotItem: (wallet: WalletId, row: Lot): TransactItem => ({
      Put: {
        TableName: tableName,
        Item: {
          ...lotKey(wallet, row.id),
          ...row,
          ...(row.expiresAt && { dueKey: DUE_LOTS, dueSort: sortByTime(row.expiresAt, row.id) }),
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    }),
    /**
     * Returns the update that takes credits from a lot, for the transaction of their negative credit. Its condition is
     * that the lot still has them, and that nothing has been withdrawn since it was read.
     */
    withdrawItem: (wallet: WalletId, { id, withdrawals }: LotRead, withdrawal: Withdrawal): TransactItem => ({
      Update: {
        TableName: tableName,
        Key: lotKey(wallet, id),
        UpdateExpression:
          'SET remaining = remaining - :credits, withdrawals = list_append(withdrawals, :withdrawals)',
        // Charges of open months are not in `remaining`. Two withdrawals that were checked against the same charges
        // must therefore not both apply.
        ConditionExpression: 'remaining >= :credits AND size(withdrawals) = :read',
        ExpressionAttributeValues: {
          ':credits': withdrawal.credits,
          ':withdrawals': [withdrawal],
          ':read': withdrawals.length,
        },
      },
    }),
    /**
     * Returns the lots whose expiry is not after `nowIso`, earliest first. Eventually consistent: read each before
     * acting on it.
     */
    async listDueLots(nowIso: string): Promise<DueLot[]> {
      const query = {
        TableName: tableName,
        IndexName: 'due',
        KeyConditionExpression: 'dueKey = :due AND dueSort < :after',
        ExpressionAttributeValues: { ':due': DUE_LOTS, ':after': sortByTime(nowIso, '~') },
      };
      const rows = await collectRows(paginateQuery({ client }, query));
      return rows.flatMap(({ pk, sk }) => {
        const wallet = walletOfPk(String(pk));
        return wallet ? [{ wallet, id: lotIdOf(String(sk)) }] : [];
      });
    },
    /**
     * Removes a lot from those due to expire once its expiry has been handled. Returns false if there is no such lot.
     */
    endExpiry(wallet: WalletId, id: string) {
      const command = new UpdateCommand({
        TableName: tableName,
        Key: lotKey(wallet, id),
        UpdateExpression: 'REMOVE dueKey, dueSort',
        ConditionExpression: 'attribute_exists(pk)',
      });
      return wasApplied(client.send(command));
    },
  };
}
