import { printable } from './printable-text.ts';

/** Rows of CSV files for spreadsheets, as in RFC 4180. */

/** An amount of money. A cell shows it in naira with two decimals, such as `-1234.50`. */
interface KoboCell {
  readonly kobo: number;
}

export type Cell = string | number | KoboCell;

/** Spreadsheets read a file that begins with this character as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Text that spreadsheets may read as a formula. They ignore leading spaces, and read U+2212 as a minus sign. */
const FORMULA = /^\s*[=+\-@\u2212]/u;
/** A number of more digits than spreadsheets keep, such as a payment's. */
const LONG_NUMBER = /^\d{16,}$/;
const NUMBER = /^\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Some spreadsheets split lines at semicolons, so a formula can also begin after one. */
const OTHER_SEPARATORS =
  /(;\s*)(?=[=+\-@\u2212\u207a-\u207c\u208a-\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20])/gu;

/** Formats a row as in RFC 4180. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  return typeof cell === 'string' ? textCell(cell) : nairaDecimal(cell.kobo);
}

/** Returns an amount of whole kobo in naira with two decimals, for programs: `-1234.50`. */
function nairaDecimal(kobo: number): string {
  const digits = String(Math.abs(kobo)).padStart(3, '0');
  return `${kobo < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Whether spreadsheets would show the text as a different number, such as the references `0012345` and `1E5`. */
function isRewritten(text: string): boolean {
  return LONG_NUMBER.test(text) || (NUMBER.test(text) && String(Number(text)) !== text);
}

/** Returns a cell. */
function textCell(text: string): string {
  // Normalised, because spreadsheets also accept the full-width and small forms of these characters.
  const begins = FORMULA.test(text.normalize('NFKC')) || isRewritten(text) ? "'" : '';
  const safe = printable(`${begins}${text}`).replace(OTHER_SEPARATORS, "$1'");
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
