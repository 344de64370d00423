import { csvRow } from '../../shared/core/csv.ts';
import { printableJson } from '../../shared/core/printable-text.ts';
import type { StatementLine } from '../../shared/ledger/statement/read-statement.ts';
import { amount, table } from './output.ts';

export const STATEMENT_FORMATS = ['table', 'csv', 'json'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

interface Statement {
  readonly organisation: string;
  readonly env: string;
  /** ISO time, inclusive. */
  readonly from: string;
  /** ISO time, exclusive. */
  readonly to: string;
  readonly openingBalance: number;
  readonly lines: AsyncIterable<StatementLine>;
}

/** Formats a statement in chunks: opening balance, lines, closing balance. */
export function formatStatement(statement: Statement, format: StatementFormat): AsyncGenerator<string> {
  return { table: asTable, csv: asCsv, json: asJson }[format](statement);
}

/** The columns of a line. A column that does not apply is empty. */
const COLUMNS = {
  time: ({ createdAt }) => createdAt,
  kind: ({ credit }) => credit?.kind ?? 'CHARGE',
  amount: ({ amount: credits }) => credits,
  balance_after: ({ balanceAfter }) => balanceAfter,
  request_id: ({ debit }) => debit?.requestId ?? '',
  reference: ({ id, credit }) => (credit ? id : ''),
  service: ({ debit }) => debit?.service ?? '',
  key_label: ({ debit }) => debit?.keyLabel ?? '',
  actor: ({ credit }) => credit?.actor ?? '',
  reason: ({ credit }) => credit?.reason ?? '',
  effective_at: ({ credit }) => credit?.effectiveAt ?? '',
} as const satisfies Readonly<Record<string, (line: StatementLine) => string | number>>;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

const cellsOf = (line: StatementLine) => NAMES.map((name) => COLUMNS[name](line));

async function* asTable({ organisation, env, from, to, openingBalance, lines }: Statement) {
  const head = [
    'TIME',
    'KIND',
    'AMOUNT',
    'BALANCE',
    'REQUEST OR REFERENCE',
    'SERVICE',
    'KEY',
    'BY',
    'REASON',
  ];
  const rows: (string | number)[][] = [[from, 'OPENING', '', openingBalance, '', '', '', '', '']];
  let [closing, credits, debits] = [openingBalance, 0, 0];
  for await (const line of lines) {
    const [time, kind, credited, balance, request, reference, ...details] = cellsOf(line).slice(0, -1);
    rows.push([time, kind, credited, balance, request || reference, ...details] as (string | number)[]);
    closing = line.balanceAfter;
    if (line.amount > 0) credits += line.amount;
    else debits -= line.amount;
  }
  rows.push([to, 'CLOSING', '', closing, '', '', '', '', '']);
  yield `Statement for ${organisation} (${env}), in credits\n\n${table(head, rows)}\n\n`;
  yield `Opening balance ${amount(openingBalance)} + credits ${amount(credits)} - debits ${amount(debits)} = closing balance ${amount(closing)}\n`;
}

async function* asCsv({ from, to, openingBalance, lines }: Statement) {
  const balanceRow = (time: string, kind: string, balance: number) =>
    csvRow([time, kind, '', balance, ...NAMES.slice(4).map(() => '')]);
  yield csvRow(NAMES);
  yield balanceRow(from, 'OPENING', openingBalance);
  let closing = openingBalance;
  for await (const line of lines) {
    yield csvRow(cellsOf(line));
    closing = line.balanceAfter;
  }
  yield balanceRow(to, 'CLOSING', closing);
}

async function* asJson({ lines, openingBalance, ...head }: Statement) {
  yield `${printableJson({ ...head, openingBalance }).slice(0, -1)},"lines":[`;
  let closing = openingBalance;
  let separator = '\n';
  for await (const line of lines) {
    yield `${separator}${printableJson(Object.fromEntries(NAMES.map((name) => [name, COLUMNS[name](line)])))}`;
    closing = line.balanceAfter;
    separator = ',\n';
  }
  yield `\n],"closingBalance":${closing}}\n`;
}
