import type { Comparison } from './agreement.ts';

export const DATE_REASONS = ['DAY_MONTH_SWAPPED', 'DEFAULT_DATE'] as const;

type DateReason = (typeof DATE_REASONS)[number];

interface CalendarDate {
  readonly day: number;
  readonly month: number;
  readonly year: number;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAY_FIRST = /^\s*(\d{1,2})[-/. ](\d{1,2}|[A-Za-z]{3,9})[-/. ](\d{4})\s*$/;
const YEAR_FIRST = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T.*)?\s*$/;
const LONGEST_DATE = 40;

/** Reads DD-MM-YYYY, DD-MMM-YYYY or YYYY-MM-DD. Returns `undefined` for text that is not a calendar date. */
export function readDate(text: string): CalendarDate | undefined {
  if (text.length > LONGEST_DATE) return undefined;
  const [, firstDay, firstMonth = '', lastYear] = DAY_FIRST.exec(text) ?? [];
  if (firstDay) return calendarDate(Number(lastYear), monthOf(firstMonth), Number(firstDay));
  const [, year, month, day] = YEAR_FIRST.exec(text) ?? [];
  return year ? calendarDate(Number(year), Number(month), Number(day)) : undefined;
}

function monthOf(text: string): number {
  return /^\d/.test(text) ? Number(text) : MONTHS.indexOf(text.slice(0, 3).toLowerCase()) + 1;
}

function calendarDate(year: number, month: number, day: number): CalendarDate | undefined {
  const isMonth = month >= 1 && month <= 12;
  return isMonth && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
    ? { day, month, year }
    : undefined;
}

const DEFAULT_SCORE = 0.7;
const ONE_DIGIT_SCORE = 0.6;

/** Compares two dates of birth. Symmetric. */
export function compareDates(one: CalendarDate, other: CalendarDate): Comparison<DateReason> {
  const isSameYear = one.year === other.year;
  if (isSameYear && one.month === other.month && one.day === other.day)
    return { result: 'exact', score: 1, reasons: [] };
  if (isSameYear && one.day === other.month && one.month === other.day)
    return { result: 'strong', score: 0.9, reasons: ['DAY_MONTH_SWAPPED'] };
  if (isSameYear && (isDefault(one) || isDefault(other)))
    return { result: 'partial', score: DEFAULT_SCORE, reasons: ['DEFAULT_DATE'] };
  if (differInOneDigit(one, other)) return { result: 'partial', score: ONE_DIGIT_SCORE, reasons: [] };
  return { result: 'none', score: 0, reasons: [] };
}

export function isDefaultDate(text: string): boolean {
  const date = readDate(text);
  return date !== undefined && isDefault(date);
}

/** Whether a date is 1 January, which registries record for people who know only the year of their birth. */
function isDefault({ day, month }: CalendarDate): boolean {
  return day === 1 && month === 1;
}

/**
 * Whether two dates differ in one digit, which is probably a typing mistake. A different decade does not count, because
 * a father and son may share names, day and month.
 */
function differInOneDigit(one: CalendarDate, other: CalendarDate): boolean {
  const decade = ({ year }: CalendarDate) => Math.floor(year / 10);
  if (decade(one) !== decade(other)) return false;
  const digits = ({ day, month, year }: CalendarDate) =>
    `${String(day).padStart(2, '0')}${String(month).padStart(2, '0')}${year}`;
  const [left, right] = [digits(one), digits(other)];
  return [...left].filter((digit, index) => digit !== right[index]).length === 1;
}
