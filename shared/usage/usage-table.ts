import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { monthsOf } from '../core/accounting-month.ts';
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
import { earlier, later } from '../core/time-order.ts';
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
 * `<env>#<org>#<month>` / `<day>#<service>#<key label>` and `BALANCE#<day>`, and the time up to which it is counted.
 */
export type UsageTable = ReturnType<typeof usageTable>;

/** A part of a busy wallet fits in one page of a query. */
const PARTS = [1, 8, 15, 22, 29];
const dayOf = (month: string, day: number) => `${month}-${String(day).padStart(2, '0')}`;
/** Sorts after every key of the day. */
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
  /** Both days are inclusive, and in the same month. */
  const readDays = (wallet: WalletId, first: string, last: string): Promise<UsageRow[]> =>
    rowsBetween(usageRow, wallet, first.slice(0, 7), first, `${last}${END_OF_DAY}`);
  /** If two counts began at the same time, their rows are equal. */
  const putUnlessLater = (row: Row & { readonly countedAt: string }) => {
    const isEarlier = where`attribute_not_exists(pk) OR countedAt <= ${row.countedAt}`;
    return wasApplied(sendWrite(client, put(TableName, row, isEarlier)));
  };
  /** Both days are inclusive. Its parts are read in parallel. */
  const readPeriod = async (wallet: WalletId, from: string, to: string): Promise<UsageRow[]> => {
    const parts = monthsOf(from, to).flatMap((month) =>
      PARTS.map((first, index) => {
        const last = (PARTS[index + 1] ?? 32) - 1;
        return [later(from, dayOf(month, first)), earlier(to, dayOf(month, last))] as const;
      }),
    );
    const read = parts.filter(([first, last]) => first <= last);
    return (await Promise.all(read.map(([first, last]) => readDays(wallet, first, last)))).flat();
  };
  return {
    readMonth: (wallet: WalletId, month: string) => readPeriod(wallet, dayOf(month, 1), dayOf(month, 31)),
    readPeriod,
    readDays,
    /** Oldest first. */
    async readBalances(wallet: WalletId, months: readonly string[]): Promise<DayBalance[]> {
      const read = (month: string) =>
        rowsBetween(dayBalanceRow, wallet, month, BALANCE_PREFIX, `${BALANCE_PREFIX}${month}${END_OF_DAY}`);
      const rows = (await Promise.all([...months].sort().map(read))).flat();
      return rows.map(({ day, balance, used }) => ({ day, balance, used }));
    },
    /** Strongly consistent. */
    readBalance: (wallet: WalletId, day: string): Promise<DayBalanceRow | undefined> =>
      readRow(client, dayBalanceRow, TableName, dayBalanceKey(wallet, day)),
    readState: (wallet: WalletId): Promise<UsageState | undefined> =>
      readRow(client, usageState, TableName, usageStateKey(wallet)),
    /** By `walletName`. Wallets without a state are left out. */
    async readStates(wallets: readonly WalletId[]): Promise<ReadonlyMap<string, UsageState>> {
      const rows = await batchGet(client, TableName, wallets.map(usageStateKey));
      const states = new Map<string, UsageState>();
      for (const row of rows) {
        const wallet = walletOfPk(String(row['pk']));
        if (wallet) states.set(walletName(wallet), v.parse(usageState, row));
      }
      return states;
    },
    /** Returns false if one has. */
    putUsage: (wallet: WalletId, row: UsageRow) =>
      putUnlessLater({ ...usageKey(wallet, row.day, row.service, row.keyLabel), ...row }),
    putBalance: (wallet: WalletId, row: DayBalanceRow) =>
      putUnlessLater({ ...dayBalanceKey(wallet, row.day), ...row }),
    /** Returns false if one has. */
    putState(wallet: WalletId, state: UsageState) {
      const isBehind = where`attribute_not_exists(pk) OR countedUntil <= ${state.countedUntil}`;
      const row = { ...usageStateKey(wallet), ...state };
      return wasApplied(sendWrite(client, put(TableName, row, isBehind)));
    },
  };
}
