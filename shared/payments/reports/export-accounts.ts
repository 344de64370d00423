import { accountingMonthOf, monthAfter, monthEndMs, monthStartMs } from '../../core/accounting-month.ts';
import { BYTE_ORDER_MARK, csvRow } from '../../core/csv.ts';
import type { Environment } from '../../core/environment.ts';
import { type StatementEntry, statementEntry } from '../../ledger/statement/statement.ts';
import { requireUnchanged } from '../documents/compose-documents.ts';
import { MonthConsumption } from '../lots/consume-lots.ts';
import {
  type AccountsSource,
  type ListedWallet,
  linesBetween,
  listRefunds,
  listWallets,
} from './accounts-source.ts';
import { EXPORT_FILE_NAMES, EXPORT_FILES, type ExportFile, type ExportRow } from './export-columns.ts';
import {
  chargeRow,
  closingRow,
  creditRow,
  documentRow,
  lotRow,
  lotUseRows,
  orderRow,
  organisationRow,
  refundRow,
  serviceUseRows,
  type Whose,
  walletColumns,
} from './export-rows.ts';
import type { LedgerLine } from './line-table.ts';

export interface ExportChunk {
  readonly file: ExportFile;
  readonly text: string;
}

export interface ExportRange {
  /** ISO times, `from` inclusive and `to` exclusive. */
  readonly from: string;
  readonly to: string;
  /** @default both */
  readonly env?: Environment | undefined;
}

const CHUNK_ROWS = 500;

/**
 * Piece by piece: a month may have millions of charges. Credits and charges in the range, and all lots, orders and
 * documents before `to`, so that each line can be traced. Closings and statements of all months that began before `to`.
 */
export async function* exportAccounts(
  range: ExportRange,
  source: AccountsSource,
  nowMs: () => number,
): AsyncGenerator<ExportChunk> {
  for (const file of EXPORT_FILE_NAMES)
    yield { file, text: BYTE_ORDER_MARK + csvRow(Object.keys(EXPORT_FILES[file])) };
  for (const one of await listWallets(source, range.env)) {
    const whose = walletColumns(one.wallet, one.organisation.name);
    yield chunkOf('organisations', [organisationRow(whose, one.organisation)]);
    yield* exportLines(one, whose, range, source);
    yield* exportPayments(one, whose, range, source);
    const balance = await source.balance(one.wallet, one.organisation.walletShards);
    if (!balance)
      throw new Error(
        `The ${one.wallet.env} wallet of ${one.wallet.organisationId} is too busy. Export again.`,
      );
    const { available, held, credited } = balance;
    const amounts = { available_credits: available, held_credits: held, credited_credits: credited };
    yield chunkOf('wallets', [{ ...whose, ...amounts, read_at: new Date(nowMs()).toISOString() }]);
  }
}

async function* exportLines(one: ListedWallet, whose: Whose, range: ExportRange, source: AccountsSource) {
  const credits: ExportRow<'credits'>[] = [];
  const charges: ExportRow<'charges'>[] = [];
  for await (const { line, use } of linesWithUse(one, range, source)) {
    if (line.credit) credits.push(creditRow(whose, line.credit));
    else charges.push(chargeRow(whose, line.charge, use));
    if (charges.length === CHUNK_ROWS) yield chunkOf('charges', charges.splice(0));
  }
  yield chunkOf('credits', credits);
  yield chunkOf('charges', charges);
}

/** A closed month is read from its start, because the lots that a charge used depend on the lines before it. */
async function* linesWithUse(one: ListedWallet, range: ExportRange, source: AccountsSource) {
  const { wallet, organisation } = one;
  const lots = await source.lots.listLots(wallet);
  const iso = (ms: number) => new Date(ms).toISOString();
  const beginMs = Math.max(Date.parse(range.from), Date.parse(organisation.createdAt));
  for (
    let month = accountingMonthOf(beginMs);
    iso(monthStartMs(month)) < range.to;
    month = monthAfter(month)
  ) {
    const closing = await source.closings.getClosing(wallet, month);
    const use = closing?.state === 'CLOSED' ? new MonthConsumption(month, lots, 0) : undefined;
    const from = iso(use ? monthStartMs(month) : Math.max(monthStartMs(month), beginMs));
    const to = iso(Math.min(monthEndMs(month), Date.parse(range.to)));
    for await (const line of linesBetween(one, { from, to }, source)) {
      const used = use?.add(entryOf(line));
      if (line.sort >= range.from) yield { line, use: used };
    }
  }
}

function entryOf({ sort, charge, credit }: LedgerLine): StatementEntry {
  return statementEntry({ ...charge, ...credit, statementSort: sort, ...(charge && { sk: 'CHARGE' }) });
}

async function* exportPayments(
  { wallet }: ListedWallet,
  whose: Whose,
  { to }: ExportRange,
  source: AccountsSource,
) {
  const { lots, orders, documents, closings } = source;
  const isBefore = (time: string) => time < to;
  const all = await lots.listLots(wallet);
  const existing = all.filter(({ createdAt }) => isBefore(createdAt));
  yield chunkOf(
    'lots',
    existing.map((row) => lotRow(whose, row)),
  );
  const opened = (await orders.listOrders(wallet)).filter(({ openedAt }) => isBefore(openedAt)).toReversed();
  yield chunkOf(
    'orders',
    opened.map((row) =>
      orderRow(
        whose,
        row,
        all.find(({ id }) => id === row.lot),
      ),
    ),
  );
  const written = requireUnchanged(await documents.listDocuments(wallet));
  // A statement is issued after its month.
  const lastMonth = accountingMonthOf(Date.parse(to) - 1);
  const issued = written
    .filter(({ issuedAt, statement }) => (statement ? statement.month <= lastMonth : isBefore(issuedAt)))
    .toReversed();
  yield chunkOf(
    'documents',
    issued.map((row) => documentRow(whose, row)),
  );
  yield chunkOf(
    'refunds',
    (await listRefunds(issued, source)).map((row) => refundRow(whose, row)),
  );
  const closed = [];
  for await (const closing of closings.latestClosings(wallet, lastMonth)) closed.unshift(closing);
  yield chunkOf(
    'closings',
    closed.map((row) => closingRow(whose, row)),
  );
  yield chunkOf(
    'lot_uses',
    closed.flatMap((row) => lotUseRows(whose, row, all)),
  );
  yield chunkOf(
    'service_uses',
    closed.flatMap((row) => serviceUseRows(whose, row)),
  );
}

function chunkOf<File extends ExportFile>(file: File, rows: readonly ExportRow<File>[]): ExportChunk {
  const names = Object.keys(EXPORT_FILES[file]) as (keyof ExportRow<File>)[];
  return { file, text: rows.map((row) => csvRow(names.map((name) => row[name] ?? ''))).join('') };
}
