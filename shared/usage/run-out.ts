import { lagosDay, monthAfter } from '../core/accounting-month.ts';
import { DAY_MS } from '../core/clock.ts';

/** Days are in Africa/Lagos (`yyyy-mm-dd`). */

export interface BalanceDay {
  readonly day: string;
  readonly balance: number;
  readonly used: number;
}

const DAYS_SHOWN = 30;
const DAYS_OF_MEAN = 14;
const LEAST_DAYS_OF_USE = 7;
const MOST_DAYS_AHEAD = 365;

export function firstDayShown(today: string): string {
  return dayAfter(today, 1 - DAYS_SHOWN);
}

/**
 * The last 30 days, today last. A day without a row has the balance of the previous one; days before the first row are
 * missing.
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
 * The average of up to 14 days before today, because today is not over. Null until 7 days after the first use.
 */
export function dailyUse(days: readonly BalanceDay[], today: string): number | null {
  const complete = days.filter(({ day }) => day < today);
  const first = complete.findIndex(({ used }) => used > 0);
  const sinceFirstUse = first < 0 ? [] : complete.slice(first);
  if (sinceFirstUse.length < LEAST_DAYS_OF_USE) return null;
  const recent = sinceFirstUse.slice(-DAYS_OF_MEAN);
  return recent.reduce((sum, { used }) => sum + used, 0) / recent.length;
}

/** On 1 March, there are three, except in leap years. */
export function monthsShown(today: string): string[] {
  const months: string[] = [];
  for (let month = firstDayShown(today).slice(0, 7); month <= today.slice(0, 7); month = monthAfter(month))
    months.push(month);
  return months;
}

/** From daily rows and the current balance. */
export function walletUse(
  rows: readonly BalanceDay[],
  { available, held }: { readonly available: number; readonly held: number },
  nowMs: number,
): { readonly daily_use: number | null; readonly runs_out_on: string | null } {
  const today = lagosDay(nowMs);
  const days = balanceDays(rows, { day: today, balance: available + held });
  const used = dailyUse(days, today);
  return { daily_use: used, runs_out_on: runsOutOn(available, used, today) };
}

/** Null if the rate is unknown or 0, or the day is more than a year away. */
export function runsOutOn(available: number, usedPerDay: number | null, today: string): string | null {
  if (!usedPerDay) return null;
  const days = Math.floor(available / usedPerDay);
  return days <= MOST_DAYS_AHEAD ? dayAfter(today, days) : null;
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}
