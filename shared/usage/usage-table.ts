import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { batchGet, type Row, wasApplied } from '../core/database.ts';
import { listRows, put, query, readRow, sendWrite, where } from '../core/expressions.ts';
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

export function usageTable(client: DynamoDBDocumentClient, TableName: string) {
  const rowsBetween = <T>(
    schema: v.GenericSchema<unknown, T>,
    wallet: WalletId,
    month: string,
    first: string,
    last: string,
  ) => {
    const keys = where`pk = ${usagePk(wallet, month)} AND sk BETWEEN ${first} AND ${last}`;
    return listRows(client, schema, query(TableName, keys, { ConsistentRead: false }));
  };
  /** Returns the usage of the days from `first` to `last`, both inclusive. Both must be in the same month. */
  const readDays = (wallet: WalletId, first: string, last: string): Promise<UsageRow[]> =>
    rowsBetween(usageRow, wallet, first.slice(0, 7), first, `${last}${END_OF_DAY}`);
  /** Replaces a row with the row of a later count. If two counts began at the same time, their rows are equal. */
  const putUnlessLater = (row: Row & { readonly countedAt: string }) => {
    const isEarlier = where`attribute_not_exists(pk) OR countedAt <= ${row.countedAt}`;
    return wasApplied(sendWrite(client, put(TableName, row, isEarlier)));
  };
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
        rowsBetween(dayBalanceRow, wallet, month, BALANCE_PREFIX, `${BALANCE_PREFIX}${month}${END_OF_DAY}`);
      const rows = (await Promise.all([...months].sort().map(read))).flat();
      return rows.map(({ day, balance, used }) => ({ day, balance, used }));
    },
    /** Returns the balance of one day. Strongly consistent. */
    readBalance: (wallet: WalletId, day: string): Promise<DayBalanceRow | undefined> =>
      readRow(client, dayBalanceRow, TableName, dayBalanceKey(wallet, day)),
    readState: (wallet: WalletId): Promise<UsageState | undefined> =>
      readRow(client, usageState, TableName, usageStateKey(wallet)),
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
      putUnlessLater({ ...usageKey(wallet, row.day, row.service, row.keyLabel), ...row }),
    putBalance: (wallet: WalletId, row: DayBalanceRow) =>
      putUnlessLater({ ...dayBalanceKey(wallet, row.day), ...row }),
    /** Writes the state, unless another count has progressed further. Returns false if one has. */
    putState(wallet: WalletId, state: UsageState) {
      const isBehind = where`attribute_not_exists(pk) OR countedUntil <= ${state.countedUntil}`;
      const row = { ...usageStateKey(wallet), ...state };
      return wasApplied(sendWrite(client, put(TableName, row, isBehind)));
    },
  };
}
