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

/** Returns the columns of a line. A column that does not apply is empty. */
function fieldsOf({ createdAt, id, amount: credits, balanceAfter, debit, credit }: StatementLine) {
  return {
    time: createdAt,
    kind: credit?.kind ?? 'CHARGE',
    amount: credits,
    balance_after: balanceAfter,
    request_id: debit?.requestId ?? '',
    reference: credit ? id : '',
    service: debit?.service ?? '',
    key_label: debit?.keyLabel ?? '',
    actor: credit?.actor ?? '',
    reason: credit?.reason ?? '',
    effective_at: credit?.effectiveAt ?? '',
  };
}

const COLUMNS = [
  'time',
  'kind',
  'amount',
  'balance_after',
  'request_id',
  'reference',
  'service',
  'key_label',
  'actor',
  'reason',
  'effective_at',
] as const;

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
    const { time, kind, balance_after, request_id, reference, ...rest } = fieldsOf(line);
    const details = [rest.service, rest.key_label, rest.actor, rest.reason];
    rows.push([time, kind, rest.amount, balance_after, request_id || reference, ...details]);
    closing = balance_after;
    if (rest.amount > 0) credits += rest.amount;
    else debits -= rest.amount;
  }
  rows.push([to, 'CLOSING', '', closing, '', '', '', '', '']);
  yield `Statement for ${organisation} (${env}), in credits\n\n${table(head, rows)}\n\n`;
  yield `Opening balance ${amount(openingBalance)} + credits ${amount(credits)} - debits ${amount(debits)} = closing balance ${amount(closing)}\n`;
}

async function* asCsv({ from, to, openingBalance, lines }: Statement) {
  const balanceRow = (time: string, kind: string, balance: number) =>
    csvRow([time, kind, '', balance, ...COLUMNS.slice(4).map(() => '')]);
  yield csvRow(COLUMNS);
  yield balanceRow(from, 'OPENING', openingBalance);
  let closing = openingBalance;
  for await (const line of lines) {
    const fields = fieldsOf(line);
    yield csvRow(COLUMNS.map((column) => fields[column]));
    closing = line.balanceAfter;
  }
  yield balanceRow(to, 'CLOSING', closing);
}

async function* asJson({ lines, openingBalance, ...head }: Statement) {
  yield `${printableJson({ ...head, openingBalance }).slice(0, -1)},"lines":[`;
  let closing = openingBalance;
  let separator = '\n';
  for await (const line of lines) {
    yield `${separator}${printableJson(fieldsOf(line))}`;
    closing = line.balanceAfter;
    separator = ',\n';
  }
  yield `\n],"closingBalance":${closing}}\n`;
}
