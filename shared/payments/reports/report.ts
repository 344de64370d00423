import { BYTE_ORDER_MARK, type Cell, csvRow } from '../../core/csv.ts';
import type { Environment } from '../../core/environment.ts';
import { printableJson } from '../../core/printable-text.ts';

/** Tables of figures for accountants and programs. A report is data, independent of how it is printed. */

/**
 * `kobo`: an amount of money in integer kobo, which CSV shows in naira. `price`: the same, but it is not added up.
 * `count`: a whole number that can be added up.
 */
export type Unit = 'text' | 'count' | 'kobo' | 'price';

/** Whether cells of this unit are amounts of money. */
export const isMoney = (unit: Unit | undefined) => unit === 'kobo' || unit === 'price';

/**
 * The columns of a report in order, each with the unit of its cells. Names are in snake case. The name of an amount of
 * money ends in its unit (`earned_kobo`). In CSV files, which show naira, it ends in `_naira` instead.
 */
export type Columns = Readonly<Record<string, Unit>>;

export interface Report {
  /** In kebab case. Also the name of its file. */
  readonly name: string;
  readonly columns: Columns;
  /** Text columns contain strings, and all others contain integers. A cell that does not apply is an empty string. */
  readonly rows: readonly Readonly<Record<string, string | number>>[];
}

/** Rows that match the columns. */
type RowsOf<C extends Columns> = readonly {
  readonly [Name in keyof C]: C[Name] extends 'text' ? string : number | '';
}[];

/** Returns a report whose rows the compiler has checked against its columns. */
export function report<C extends Columns>(name: string, columns: C, rows: RowsOf<C>): Report {
  return { name, columns, rows };
}

/** The first columns of every row in every report: its owner and its currency. */
export const WHOSE = {
  organisation: 'text',
  name: 'text',
  environment: 'text',
  currency: 'text',
} as const satisfies Columns;

export const CURRENCY = 'NGN';

/** Returns the first columns of a row with the totals of all customers. */
export function allCustomers(environment: Environment) {
  return { organisation: 'ALL', name: 'All customers', environment, currency: CURRENCY };
}

/** Returns a report as a CSV file: a byte order mark, the names of the columns, and one line for each row. */
export function reportCsv({ columns, rows }: Report): string {
  const names = Object.keys(columns);
  const head = names.map((name) => (isMoney(columns[name]) ? name.replace(/_kobo$/, '_naira') : name));
  const lines = rows.map((row) => csvRow(names.map((name) => cellOf(columns[name] ?? 'text', row[name]))));
  return [BYTE_ORDER_MARK, csvRow(head), ...lines].join('');
}

/** Returns a report as JSON, with all amounts in integer kobo and the sums of its columns. */
export function reportJson(all: Report): string {
  const { name, rows } = all;
  return `${printableJson({ report: name, currency: CURRENCY, rows, totals: totalsOf(all) })}\n`;
}

/** Returns the sums of all columns that can be added up. */
export function totalsOf({ columns, rows }: Report): Record<string, number> {
  const summed = Object.keys(columns).filter((name) => columns[name] === 'count' || columns[name] === 'kobo');
  return Object.fromEntries(summed.map((name) => [name, sum(rows, (row) => Number(row[name] || 0))]));
}

/** Adds up the numbers that `numberOf` returns for the items. */
export function sum<T>(items: Iterable<T>, numberOf: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += numberOf(item);
  return total;
}

function cellOf(unit: Unit, value: string | number | undefined): Cell {
  if (isMoney(unit) && typeof value === 'number') return { kobo: value };
  return value ?? '';
}
