import { lagosDay, monthAfter } from '../core/accounting-month.ts';
import { DAY_MS } from '../core/clock.ts';

/**
 * Calculates how fast credits are used, and when the wallet will be empty at this rate. Days are calendar days in
 * Africa/Lagos (`yyyy-mm-dd`).
 */

/** The balance at the end of a day, and the credits that were used on it. */
export interface BalanceDay {
  readonly day: string;
  readonly balance: number;
  readonly used: number;
}

const DAYS_SHOWN = 30;
const DAYS_OF_MEAN = 14;
const LEAST_DAYS_OF_USE = 7;
const MOST_DAYS_AHEAD = 365;

/** Returns the first of the days that are shown on `today`. */
export function firstDayShown(today: string): string {
  return dayAfter(today, 1 - DAYS_SHOWN);
}

/**
 * Returns the last 30 days, oldest first. Today is last, with the current balance. A day without a row has the balance
 * of the previous day. Days before the first row are missing.
 */
export function balanceDays(
  rows: readonly BalanceDay[],
  now: { readonly day: string; readonly balance: number },
): BalanceDay[] {
  const first = firstDayShown(now.day);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const earlier = rows.filter(({ day }) => day < first).sort((a, b) => (a.day < b.day ? 1 : -1));
  let balance = earlier[0]?.balance;
  const days: BalanceDay[] = [];
  for (let day = first; day < now.day; day = dayAfter(day, 1)) {
    const row = byDay.get(day);
    balance = row?.balance ?? balance;
    if (balance !== undefined) days.push({ day, balance, used: row?.used ?? 0 });
  }
  return [...days, { ...now, used: byDay.get(now.day)?.used ?? 0 }];
}

/**
 * Returns how many credits are used per day: the average of the 14 days before today, or of all days since the first
 * use if there are fewer. Null until 7 days have passed since the first use. Today does not count, because it is not
 * over.
 */
export function dailyUse(days: readonly BalanceDay[], today: string): number | null {
  const complete = days.filter(({ day }) => day < today);
  const first = complete.findIndex(({ used }) => used > 0);
  const sinceFirstUse = first < 0 ? [] : complete.slice(first);
  if (sinceFirstUse.length < LEAST_DAYS_OF_USE) return null;
  const recent = sinceFirstUse.slice(-DAYS_OF_MEAN);
  return recent.reduce((sum, { used }) => sum + used, 0) / recent.length;
}

/**
 * Returns the months (`yyyy-mm`) of the days that are shown on `today`. On 1 March, there are three, except in leap
 * years.
 */
export function monthsShown(today: string): string[] {
  const months: string[] = [];
  for (let month = firstDayShown(today).slice(0, 7); month <= today.slice(0, 7); month = monthAfter(month))
    months.push(month);
  return months;
}

/** Returns the day on which a wallet will be empty, calculated from its daily rows and its current balance. */
export function walletRunsOutOn(
  rows: readonly BalanceDay[],
  { available, held }: { readonly available: number; readonly held: number },
  nowMs: number,
): string | null {
  const today = lagosDay(nowMs);
  const days = balanceDays(rows, { day: today, balance: available + held });
  return runsOutOn(available, dailyUse(days, today), today);
}

/**
 * Returns the day on which the wallet will be empty at this rate. Null if the rate is unknown or 0, or if the day is
 * more than a year away.
 */
export function runsOutOn(available: number, usedPerDay: number | null, today: string): string | null {
  if (!usedPerDay) return null;
  const days = Math.floor(available / usedPerDay);
  return days <= MOST_DAYS_AHEAD ? dayAfter(today, days) : null;
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
