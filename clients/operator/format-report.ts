import { nairaText } from '../../shared/payments/naira.ts';
import {
  type Report,
  reportCsv,
  reportJson,
  totalsOf,
  type Unit,
} from '../../shared/payments/reports/report.ts';
import { counted, table } from './output.ts';

export const REPORT_FORMATS = ['table', 'csv', 'json'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The same in every row of a report of one month and one environment, so the heading says it. */
const IN_HEADING = new Set(['environment', 'currency', 'month']);

/** Formats a report. Tables show naira with separators, and a last row with the sums. */
export function formatReport(report: Report, heading: string, format: ReportFormat): string {
  if (format === 'csv') return reportCsv(report);
  return format === 'json' ? reportJson(report) : asTable(report, heading);
}

function asTable(report: Report, heading: string): string {
  const { columns, rows } = report;
  const names = Object.keys(columns).filter((name) => !IN_HEADING.has(name));
  const head = names.map((name) =>
    name
      .replace(/_(kobo|credits)$/, '')
      .replaceAll('_', ' ')
      .toUpperCase(),
  );
  const cells = rows.map((row) => names.map((name) => cellOf(columns[name], row[name])));
  const totals = totalsOf(report);
  const last = names.map((name, index) => (index === 0 ? 'TOTAL' : cellOf(columns[name], totals[name])));
  const count = `${counted(rows.length, 'row')}. Amounts are in naira.`;
  return `${heading}\n\n${table(head, rows.length > 0 ? [...cells, last] : [])}\n\n${count}\n`;
}

function cellOf(unit: Unit | undefined, value: string | number | undefined): string | number {
  return unit === 'kobo' && typeof value === 'number' ? nairaText(value) : (value ?? '');
}
