import { isDeepStrictEqual } from 'node:util';
import {
  accountingMonthOf,
  dayPlus,
  daysBetween,
  lagosDay,
  lagosDayStartMs,
} from '../core/accounting-month.ts';
import type { WalletId } from '../core/keys.ts';
import {
  type FindBalance,
  openStatement,
  type StatementLine,
  type StatementScope,
} from '../ledger/statement/read-statement.ts';
import type { StatementTable } from '../ledger/statement/statement-table.ts';
import type { ListedLog, LogListTable } from '../verifications/log-list-table.ts';
import { RequestCount, usageName } from './count-requests.ts';
import type { RegistryDayTable } from './registry-day-table.ts';
import type { DayBalance, UsageRow } from './rows.ts';
import type { UsageTable } from './usage-table.ts';

export interface CountTables {
  readonly logs: Pick<LogListTable, 'ofDay'>;
  readonly statement: StatementTable;
  readonly findBalance: FindBalance;
  readonly usage: UsageTable;
  readonly registries: Pick<RegistryDayTable, 'putShare'>;
}

/** In Africa/Lagos, both inclusive. */
export interface DayRange {
  readonly first: string;
  readonly last: string;
}

const WRITES_AT_ONCE = 16;

/**
 * Recounts from log rows and the statement, and writes only rows that differ. A row without requests is set to zero.
 * Returns the UTC days whose look-ups were counted.
 */
export async function countDays(
  scope: StatementScope,
  days: DayRange,
  tables: CountTables,
  nowMs: number,
  options: { readonly readsWholeStatement?: boolean } = {},
): Promise<readonly string[]> {
  const countedAt = new Date(nowMs).toISOString();
  const { wallet } = scope;
  const count = await countRequests(wallet, days, tables, nowMs);
  await writeUsage(wallet, days, count.usage(countedAt), countedAt, tables);
  const shares = count.registries(countedAt);
  await inBatches(shares, (share) => tables.registries.putShare(wallet, share));
  await writeBalances(scope, days, { countedAt, nowMs, ...options }, tables);
  return shares.map(({ day }) => day);
}

/** Days in Lagos begin an hour before UTC days; also the last hour of the last UTC day. */
async function countRequests(
  wallet: WalletId,
  { first, last }: DayRange,
  { logs }: CountTables,
  nowMs: number,
): Promise<RequestCount> {
  const count = new RequestCount(wallet.env, first, last);
  const range = {
    from: new Date(lagosDayStartMs(first)).toISOString(),
    before: `${dayPlus(last, 1)}T00:00:00.000Z`,
  };
  for (const utcDay of daysBetween(dayPlus(first, -1), last))
    await Promise.all(logs.ofDay(wallet, utcDay, range, nowMs).map((rows) => addAll(count, rows)));
  return count;
}

/** While an erasure moves a row, the index may have both copies, next to each other. */
async function addAll(count: RequestCount, rows: AsyncIterable<ListedLog>): Promise<void> {
  let previous = '';
  for await (const { sort, row } of rows) {
    if (sort !== previous) count.add(row);
    previous = sort;
  }
}

async function writeUsage(
  wallet: WalletId,
  { first, last }: DayRange,
  counted: readonly UsageRow[],
  countedAt: string,
  { usage }: CountTables,
): Promise<void> {
  const stored = new Map<string, UsageRow>();
  for (const part of partsByMonth(first, last))
    for (const row of await usage.readDays(wallet, part.first, part.last)) stored.set(usageName(row), row);
  const names = new Set(counted.map(usageName));
  const gone = [...stored.values()].filter((row) => !names.has(usageName(row)));
  const rows = [...counted, ...gone.map((row) => withoutRequests(row, countedAt))];
  const changed = rows.filter((row) => !isEqual(row, stored.get(usageName(row))));
  await inBatches(changed, (row) => usage.putUsage(wallet, row));
}

function withoutRequests(row: UsageRow, countedAt: string): UsageRow {
  return { ...row, requests: 0, credits: 0, replays: 0, outcomes: {}, latency: {}, countedAt };
}

function isEqual<T extends { readonly countedAt: string }>(row: T, stored: T | undefined): boolean {
  return stored !== undefined && isDeepStrictEqual({ ...row, countedAt: stored.countedAt }, stored);
}

/**
 * From the balance of the day before and the lines of the day. Without it, or with `readsWholeStatement`, from the last
 * closing or seal.
 */
async function writeBalances(
  scope: StatementScope,
  days: DayRange,
  how: { readonly countedAt: string; readonly nowMs: number; readonly readsWholeStatement?: boolean },
  { statement, findBalance, usage }: CountTables,
): Promise<void> {
  const { wallet } = scope;
  const from = new Date(lagosDayStartMs(days.first)).toISOString();
  const endMs = Math.min(lagosDayStartMs(dayPlus(days.last, 1)), how.nowMs + 1);
  const known = how.readsWholeStatement
    ? undefined
    : await usage.readBalance(wallet, dayPlus(days.first, -1));
  const { openingBalance, lines } = await openStatement(
    scope,
    { from, to: new Date(endMs).toISOString() },
    known && { sort: from, balance: known.balance },
    statement,
    findBalance,
  );
  // Days before the first line of a wallet have no balance.
  const hasBegun = known !== undefined || openingBalance !== 0;
  const balances = await balancesOf(days, { balance: openingBalance, hasBegun }, lines);
  const stored = new Map((await usage.readBalances(wallet, monthsOf(days))).map((row) => [row.day, row]));
  const changed = balances.filter((row) => !isDeepStrictEqual(row, stored.get(row.day)));
  await inBatches(changed, (row) => usage.putBalance(wallet, { ...row, countedAt: how.countedAt }));
}

async function balancesOf(
  days: DayRange,
  opening: { readonly balance: number; readonly hasBegun: boolean },
  lines: AsyncIterable<StatementLine>,
): Promise<DayBalance[]> {
  const balances: DayBalance[] = [];
  let { balance, hasBegun } = opening;
  let [open, used] = [days.first, 0];
  const endDaysBefore = (day: string) => {
    for (; open < day; open = dayPlus(open, 1)) {
      if (hasBegun) balances.push({ day: open, balance, used });
      used = 0;
    }
  };
  for await (const { createdAt, amount, balanceAfter, debit } of lines) {
    endDaysBefore(lagosDay(Date.parse(createdAt)));
    hasBegun = true;
    balance = balanceAfter;
    if (debit) used -= amount;
  }
  endDaysBefore(dayPlus(days.last, 1));
  return balances;
}

/** The rows of each month are in a separate partition. */
function partsByMonth(first: string, last: string): DayRange[] {
  return monthsOf({ first, last }).map((month) => {
    const [start, end] = [`${month}-01`, `${month}-31`];
    return { first: first > start ? first : start, last: last < end ? last : end };
  });
}

function monthsOf({ first, last }: DayRange): string[] {
  return [...new Set(daysBetween(first, last).map((day) => accountingMonthOf(lagosDayStartMs(day))))];
}

async function inBatches<T>(rows: readonly T[], write: (row: T) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < rows.length; first += WRITES_AT_ONCE)
    await Promise.all(rows.slice(first, first + WRITES_AT_ONCE).map(write));
}
