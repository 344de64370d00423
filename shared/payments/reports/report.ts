import { BYTE_ORDER_MARK, type Cell, csvRow } from '../../core/csv.ts';
import type { Environment } from '../../core/environment.ts';
import { printableJson } from '../../core/printable-text.ts';

/**
 * `kobo`: integer kobo, which CSV shows in naira. `price`: the same, not added up. `count`: a whole number that is
 * added up.
 */
export type Unit = 'text' | 'count' | 'kobo' | 'price';

export const isMoney = (unit: Unit | undefined) => unit === 'kobo' || unit === 'price';

/**
 * In order. Names are in snake case and end in their unit (`earned_kobo`); in CSV files, which show naira, in `_naira`.
 */
export type Columns = Readonly<Record<string, Unit>>;

export interface Report {
  /** In kebab case, also the name of its file. */
  readonly name: string;
  readonly columns: Columns;
  /** A cell that does not apply is an empty string. */
  readonly rows: readonly Readonly<Record<string, string | number>>[];
}

/** Rows that match the columns. */
type RowsOf<C extends Columns> = readonly {
  readonly [Name in keyof C]: C[Name] extends 'text' ? string : number | '';
}[];

/** The compiler checks the rows against the columns. */
export function report<C extends Columns>(name: string, columns: C, rows: RowsOf<C>): Report {
  return { name, columns, rows };
}

/** The first columns of every report. */
export const WHOSE = {
  organisation: 'text',
  name: 'text',
  environment: 'text',
  currency: 'text',
} as const satisfies Columns;

export const CURRENCY = 'NGN';

export function allCustomers(environment: Environment) {
  return { organisation: 'ALL', name: 'All customers', environment, currency: CURRENCY };
}

/** With a byte order mark. */
export function reportCsv({ columns, rows }: Report): string {
  const names = Object.keys(columns);
  const head = names.map((name) => (isMoney(columns[name]) ? name.replace(/_kobo$/, '_naira') : name));
  const lines = rows.map((row) => csvRow(names.map((name) => cellOf(columns[name] ?? 'text', row[name]))));
  return [BYTE_ORDER_MARK, csvRow(head), ...lines].join('');
}

/** All amounts are in integer kobo. */
export function reportJson(all: Report): string {
  const { name, rows } = all;
  return `${printableJson({ report: name, currency: CURRENCY, rows, totals: totalsOf(all) })}\n`;
}

export function totalsOf({ columns, rows }: Report): Record<string, number> {
  const summed = Object.keys(columns).filter((name) => columns[name] === 'count' || columns[name] === 'kobo');
  return Object.fromEntries(summed.map((name) => [name, sum(rows, (row) => Number(row[name] || 0))]));
}

export function sum<T>(items: Iterable<T>, numberOf: (item: T) => number): number {
  let total = 0;
  for (const item of items) total += numberOf(item);
  return total;
}

function cellOf(unit: Unit, value: string | number | undefined): Cell {
  if (isMoney(unit) && typeof value === 'number') return { kobo: value };
  return value ?? '';
}
