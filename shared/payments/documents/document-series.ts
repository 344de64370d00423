import { lagosDay } from '../../core/accounting-month.ts';
import type { Environment } from '../../core/environment.ts';
import type { DocumentKind } from './financial-document.ts';

const LETTERS: Readonly<Record<DocumentKind, string>> = {
  INVOICE: '',
  RECEIPT: 'R',
  CREDIT_NOTE: 'C',
  STATEMENT: 'S',
};
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
