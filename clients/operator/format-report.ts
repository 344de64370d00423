import { nairaText } from '../../shared/payments/naira.ts';
import {
  isMoney,
  type Report,
  reportCsv,
  reportJson,
  totalsOf,
  type Unit,
} from '../../shared/payments/reports/report.ts';
import { counted, table } from './output.ts';

export const REPORT_FORMATS = ['table', 'csv', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/**
 * Columns with the same value in every row of a report on one month and one environment. The text around the table
 * shows them.
 */
const IN_HEADING = new Set(['environment', 'currency', 'month']);

/** Formats a report. Tables show naira with separators, and a last row with the sums. */
export function formatReport(report: Report, heading: string, format: ReportFormat, width?: number): string {
  if (format === 'csv') return reportCsv(report);
  return format === 'json' ? reportJson(report) : asTable(report, heading, width);
}

function asTable(report: Report, heading: string, width: number | undefined): string {
  const { columns, rows } = report;
  const names = Object.keys(columns).filter((name) => !IN_HEADING.has(name));
  const head = names.map((name) => headOf(name, names));
  const totals = totalsOf(report);
  const shown = rows.length > 0 ? [...rows, { ...totals, [names[0] ?? '']: 'TOTAL' }] : [];
  const cells = shown.map((row: Report['rows'][number]) =>
    names.map((name) => cellOf(columns[name], row[name])),
  );
  const money = new Set(names.flatMap((name, column) => (isMoney(columns[name]) ? [column] : [])));
  const text = table(head, cells, width, money);
  return `${heading}\n\n${text}\n\n${counted(rows.length, 'row')}. Amounts are in naira.\n`;
}

/** Returns the heading of a column: its name, without the unit unless two columns would then have the same heading. */
function headOf(name: string, names: readonly string[]): string {
  const short = (text: string) => text.replace(/_(kobo|credits)$/, '');
  const isUnique = names.filter((other) => short(other) === short(name)).length === 1;
  const long = name.replace(/_kobo$/, '_naira');
  return (isUnique ? short(name) : long).replaceAll('_', ' ').toUpperCase();
}

function cellOf(unit: Unit | undefined, value: string | number | undefined): string | number {
  return isMoney(unit) && typeof value === 'number' ? nairaText(value) : (value ?? '');
}
