import { type DynamoDBDocumentClient, PutCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, collectRows, getRow, type Row, wasApplied } from '../core/database.ts';
import {
  BALANCE_PREFIX,
  dayBalanceKey,
  usageKey,
  usagePk,
  usageStateKey,
  type WalletId,
  walletName,
  walletOfPk,
} from '../core/keys.ts';
import {
  type DayBalance,
  type DayBalanceRow,
  dayBalanceRow,
  type UsageRow,
  type UsageState,
  usageRow,
  usageState,
} from './rows.ts';

/**
 * Usage in Console: `<env>#<org>#<month>` / `<day>#<service>#<key label>` and `BALANCE#<day>`, and the time up to which
 * it is counted.
 */
export type UsageTable = ReturnType<typeof usageTable>;

/** The days on which the parts of a month begin. A part of a busy wallet fits in one page of a query. */
const PARTS = [1, 8, 15, 22, 29];
const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, '0')}`;
/** Sorts after every sort key that begins with the same day. */
const END_OF_DAY = '~';

/** Replaces a row with the row of a later count. If two counts began at the same time, their rows are equal. */
const UNLESS_LATER = {
  ConditionExpression: 'attribute_not_exists(pk) OR countedAt <= :countedAt',
};

export function usageTable(client: DynamoDBDocumentClient, TableName: string) {
  const query = (wallet: WalletId, month: string, first: string, last: string) =>
    collectRows(
      paginateQuery(
        { client },
        {
          TableName,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: { ':pk': usagePk(wallet, month), ':first': first, ':last': last },
        },
      ),
    );
  /** Returns the usage of the days from `first` to `last`, both inclusive. Both must be in the same month. */
  const readDays = async (wallet: WalletId, first: string, last: string): Promise<UsageRow[]> =>
    (await query(wallet, first.slice(0, 7), first, `${last}${END_OF_DAY}`)).map((row) =>
      v.parse(usageRow, row),
    );
  const put = (Item: Row & { readonly countedAt: string }) =>
    wasApplied(
      client.send(
        new PutCommand({
          TableName,
          Item,
          ...UNLESS_LATER,
          ExpressionAttributeValues: { ':countedAt': Item.countedAt },
        }),
      ),
    );
  return {
    /** Returns the usage of a month (`yyyy-mm`, Africa/Lagos), by day. Its parts are read in parallel. */
    async readMonth(wallet: WalletId, month: string): Promise<UsageRow[]> {
      const parts = PARTS.map((from, index) => {
        const to = (PARTS[index + 1] ?? 32) - 1;
        return readDays(wallet, dayOf(month, from), dayOf(month, to));
      });
      return (await Promise.all(parts)).flat();
    },
    readDays,
    /** Returns the balances of these months, oldest first. */
    async readBalances(wallet: WalletId, months: readonly string[]): Promise<DayBalance[]> {
      const read = (month: string) =>
        query(wallet, month, BALANCE_PREFIX, `${BALANCE_PREFIX}${month}${END_OF_DAY}`);
      const rows = (await Promise.all([...months].sort().map(read))).flat();
      return rows.map((row) => {
        const { day, balance, used } = v.parse(dayBalanceRow, row);
        return { day, balance, used };
      });
    },
    /** Returns the balance of one day. Strongly consistent. */
    async readBalance(wallet: WalletId, day: string): Promise<DayBalanceRow | undefined> {
      const row = await getRow(client, TableName, dayBalanceKey(wallet, day));
      return row && v.parse(dayBalanceRow, row);
    },
    async readState(wallet: WalletId): Promise<UsageState | undefined> {
      const row = await getRow(client, TableName, usageStateKey(wallet));
      return row && v.parse(usageState, row);
    },
    /** Returns the states of these wallets, by `walletName`. Wallets without a state are left out. */
    async readStates(wallets: readonly WalletId[]): Promise<ReadonlyMap<string, UsageState>> {
      const rows = await batchGet(client, TableName, wallets.map(usageStateKey));
      const states = new Map<string, UsageState>();
      for (const row of rows) {
        const wallet = walletOfPk(String(row['pk']));
        if (wallet) states.set(walletName(wallet), v.parse(usageState, row));
      }
      return states;
    },
    /** Writes a row, unless a later count has written it. Returns false if one has. */
    putUsage: (wallet: WalletId, row: UsageRow) =>
      put({ ...usageKey(wallet, row.day, row.service, row.keyLabel), ...row }),
    putBalance: (wallet: WalletId, row: DayBalanceRow) => put({ ...dayBalanceKey(wallet, row.day), ...row }),
    /** Writes the state, unless another count has progressed further. Returns false if one has. */
    putState(wallet: WalletId, state: UsageState) {
      const command = new PutCommand({
        TableName,
        Item: { ...usageStateKey(wallet), ...state },
        ConditionExpression: 'attribute_not_exists(pk) OR countedUntil <= :until',
        ExpressionAttributeValues: { ':until': state.countedUntil },
      });
      return wasApplied(client.send(command));
    },
  };
}
