import { monthAfter, monthBefore } from '../../../../shared/core/accounting-month.ts';
import { DAY_MS } from '../../../../shared/core/clock.ts';
import { formatNumber } from '../format.ts';
import { monthName } from '../months.ts';

function daysIn(month: string): number {
  return (Date.parse(`${monthAfter(month)}-01`) - Date.parse(`${month}-01`)) / DAY_MS;
}

/**
 * Names the days of the previous month that are compared with the first `days` days of a month: "the first 20 days of
 * October 2026".
 */
export function previousPeriod(month: string, days: number): string {
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
