import { printable } from '../../shared/core/printable-text.ts';

/** Whitespace, and characters that spreadsheets drop or read as one of the characters that begin a formula. */
const FORMULA = /^\s*[=+\-@\u2212]/u;
/** Some spreadsheets split a line at these, so that a formula could also begin after them. */
const OTHER_SEPARATORS = /(;\s*)(?=[=+\-@\u2212\uff1d\uff0b\uff0d\uff20])/gu;

/** Formats a row as in RFC 4180. */
export function csvRow(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : textCell(cell))).join(',')}\r\n`;
}

/** An apostrophe keeps spreadsheets from running a text as a formula. Unprintable characters are escaped. */
function textCell(text: string): string {
  // Normalised, because spreadsheets also accept the full-width and small forms of these characters.
  const begins = FORMULA.test(text.normalize('NFKC')) ? "'" : '';
  const safe = printable(`${begins}${text}`).replace(OTHER_SEPARATORS, "$1'");
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
