import { accountingMonthOf, lagosDay } from '../../core/accounting-month.ts';
import { MINUTE_MS } from '../../core/clock.ts';
import type { Environment } from '../../core/environment.ts';
import type { DocumentKind, FinancialDocument } from './financial-document.ts';

const LETTERS: Readonly<Record<DocumentKind, string>> = {
  INVOICE: '',
  RECEIPT: 'R',
  CREDIT_NOTE: 'C',
  STATEMENT: 'S',
};
/** Between two processes that book at once. */
const MOST_APART_MS = MINUTE_MS;

/**
 * When documents that accompany a booking are issued. Two processes may book at once, so that numbers are in the order
 * of time, a document is not dated before the last one, unless it would then leave the month of its booking.
 */
export function issueTime(
  bookedAt: string,
  ...drawn: { readonly lastIssuedAt: string | undefined }[]
): string {
  const bookedMs = Date.parse(bookedAt);
  const latestMs = Math.max(bookedMs, ...drawn.map(({ lastIssuedAt = '' }) => Date.parse(lastIssuedAt) || 0));
  const isSameMonth = accountingMonthOf(latestMs) === accountingMonthOf(bookedMs);
  // A clock that was wrong once must not date all later documents.
  return isSameMonth && latestMs - bookedMs <= MOST_APART_MS ? new Date(latestMs).toISOString() : bookedAt;
}

/** Whether `issueTime` may have returned it. */
export function isIssuedWith({ issuedAt }: Pick<FinancialDocument, 'issuedAt'>, bookedAt: string): boolean {
  return issuedAt >= bookedAt && issueTime(bookedAt, { lastIssuedAt: issuedAt }) === issuedAt;
}

const DIGITS = 6;

/**
 * Returns the series of a document, such as `IDV-2026`. Each combination of kind, environment and year (in Lagos) has
 * its own series, whose numbers have no gaps.
 */
export function seriesOf(env: Environment, kind: DocumentKind, prefix: string, issuedAtMs: number): string {
  const series = `${prefix}${LETTERS[kind]}-${lagosDay(issuedAtMs).slice(0, 4)}`;
  return env === 'test' ? `TEST-${series}` : series;
}

/** Returns a document number, such as `IDV-2026-000041`. */
export function documentNumber(series: string, count: number): string {
  return `${series}-${String(count).padStart(DIGITS, '0')}`;
}

/**
 * Returns the parts of a document's number, or undefined if it is not in the series of the document's kind, environment
 * and year.
 */
export function numberIn({
  number,
  kind,
  env,
  issuedAt,
}: Pick<FinancialDocument, 'number' | 'kind' | 'env' | 'issuedAt'>):
  | { readonly series: string; readonly prefix: string; readonly count: number }
  | undefined {
  const [, test = '', name = '', year, digits] = /^(TEST-)?(.+)-(\d{4})-(\d{6,})$/.exec(number) ?? [];
  const issuedAtMs = Date.parse(issuedAt);
  const prefix = name.slice(0, name.length - LETTERS[kind].length);
  const series = `${test}${name}-${year}`;
  if (digits === undefined || Number.isNaN(issuedAtMs)) return undefined;
  if (seriesOf(env, kind, prefix, issuedAtMs) !== series) return undefined;
  return { series, prefix, count: Number(digits) };
}
