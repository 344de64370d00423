import { HOUR_MS } from './clock.ts';

/**
 * Accounting months: calendar months in Africa/Lagos (contract P2), written `yyyy-mm`. Lagos is one hour ahead of
 * UTC all year, so no time zone data is needed. Times in the API are in UTC.
 */

const LAGOS_OFFSET_MS = HOUR_MS;
const MONTH = /^(20[0-9]{2})-(0[1-9]|1[0-2])$/;

export function isAccountingMonth(text: string): boolean {
  return MONTH.test(text);
}

/** Returns the month of a time in epoch milliseconds. */
export function accountingMonthOf(ms: number): string {
  return new Date(ms + LAGOS_OFFSET_MS).toISOString().slice(0, 7);
}

/** Returns the first instant of a month, in epoch milliseconds. */
export function monthStartMs(month: string): number {
  return Date.parse(`${month}-01T00:00:00.000Z`) - LAGOS_OFFSET_MS;
}

/** Returns the first instant after a month, in epoch milliseconds. */
export function monthEndMs(month: string): number {
  return monthStartMs(monthAfter(month));
}

export function monthAfter(month: string): string {
  return shifted(month, 1);
}

export function monthBefore(month: string): string {
  return shifted(month, -1);
}

function shifted(month: string, months: number): string {
  const first = new Date(`${month}-01T00:00:00.000Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  return first.toISOString().slice(0, 7);
}

/** Returns the calendar day in Africa/Lagos, as `yyyy-mm-dd`. */
export function lagosDay(ms: number): string {
  return new Date(ms + LAGOS_OFFSET_MS).toISOString().slice(0, 10);
}

/** Returns the first instant of a day (`yyyy-mm-dd`) in Africa/Lagos, in epoch milliseconds. */
export function lagosDayStartMs(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`) - LAGOS_OFFSET_MS;
}

/** Returns the day that is this many days after another, or before it if `days` is negative. */
export function dayPlus(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00.000Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Returns the months that contain the days from one to another, both inclusive. */
export function monthsOf(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = first.slice(0, 7); month <= last.slice(0, 7); month = monthAfter(month))
    months.push(month);
  return months;
}

/** Returns the days from one to another, both inclusive. */
export function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = dayPlus(day, 1)) days.push(day);
  return days;
}
