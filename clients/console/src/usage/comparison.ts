import { monthAfter, monthBefore } from '../../../../shared/core/accounting-month.ts';
import { DAY_MS } from '../../../../shared/core/clock.ts';
import type { UsageView } from '../../../../shared/usage/console/views.ts';
import { formatDay, formatNumber } from '../format.ts';
import { monthName } from '../months.ts';

function daysIn(month: string): number {
  return (Date.parse(`${monthAfter(month)}-01`) - Date.parse(`${month}-01`)) / DAY_MS;
}

/** Names the month or the days that are shown: "November 2026" or "3 Nov 2026 to 12 Nov 2026". */
export function periodName({ month, from, to }: Pick<UsageView, 'month' | 'from' | 'to'>): string {
  return month === null ? `${formatDay(from, 'UTC')} to ${formatDay(to, 'UTC')}` : monthName(month);
}

/**
 * Names the days that are compared with the `days` days that are shown: "the first 20 days of October 2026", or those
 * before.
 */
export function previousPeriod(month: string | null, days: number): string {
  if (month === null) return days === 1 ? 'the day before' : `the ${days} days before`;
  const before = monthBefore(month);
  const name = monthName(before);
  if (days >= daysIn(before)) return name;
  return days === 1 ? `the first day of ${name}` : `the first ${days} days of ${name}`;
}

/**
 * Says by how much a number differs from the number of an earlier period: "12% more than the first 20 days of October
 * 2026".
 */
export function comparisonText(now: number, before: number, period: string): string {
  if (now === before) return `The same as ${period}`;
  if (before === 0) return `None in ${period}`;
  const difference = (now - before) / before;
  return difference > 0
    ? `${percentText(difference)} more than ${period}`
    : `${percentText(-difference)} less than ${period}`;
}

/** Returns a share as a percentage, with one decimal below 10%: "12%", "0.4%" or "less than 0.1%". */
export function percentText(share: number): string {
  const percent = share * 100;
  const text = percent > 0 && percent < 0.1 ? 'less than 0.1' : roundedText(percent);
  return `${text}%`;
}

function roundedText(percent: number): string {
  return formatNumber(percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent));
}
