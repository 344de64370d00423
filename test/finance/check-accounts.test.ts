import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountingMonthOf as monthOf } from '../../shared/core/accounting-month.ts';
import { readMonth } from '../../shared/payments/reports/accounts-source.ts';
import { agedBalancesReport } from '../../shared/payments/reports/aged-balances.ts';
import { exportAccounts } from '../../shared/payments/reports/export-accounts.ts';
import { EXPORT_FILE_NAMES, type ExportFile } from '../../shared/payments/reports/export-columns.ts';
import { lotsReport } from '../../shared/payments/reports/lots.ts';
import { type Report, totalsOf } from '../../shared/payments/reports/report.ts';
import { customersReport, revenueReport } from '../../shared/payments/reports/revenue.ts';
import { reversalsReport } from '../../shared/payments/reports/reversals.ts';
import { servicesReport, usageReport } from '../../shared/payments/reports/usage.ts';
import { vatReturnReport } from '../../shared/payments/reports/vat-return.ts';
import { type InventedYear, inventYear } from './invented-year.ts';
import { readCsv } from './read-csv.ts';
import { checkMistakes } from './run-checker.ts';

/**
 * Twelve invented months are closed and exported. A program that shares no code with the service, and reads only the
 * export, finds that paid = earned + deferred + refunded + expired, to the kobo. It also finds planted mistakes.
 */

const CHECKER = fileURLToPath(new URL('check-accounts/check_accounts.py', import.meta.url));
const EXPORT_PAGE = readFileSync(new URL('../../docs/finance/export.md', import.meta.url), 'utf8');
const directory = mkdtempSync(join(tmpdir(), 'accounts-'));
const FIRST = '2026-02';
const LAST = '2027-01';
let year: InventedYear;

beforeAll(async () => {
  year = await inventYear({ seed: 24, first: FIRST, months: 12, actions: 25 });
  const range = { from: '2020-01-01T00:00:00.000Z', to: new Date(year.nowMs()).toISOString() };
  for await (const { file, text } of exportAccounts(range, year.source, () => year.nowMs()))
    appendFileSync(join(directory, `${file}.csv`), text);
});
afterAll(() => rmSync(directory, { recursive: true }));

type Row = Readonly<Record<string, string>>;

/** Returns the rows of an exported file, by column. */
function exported(file: ExportFile): Row[] {
  const [head = [], ...rows] = readCsv(readFileSync(join(directory, `${file}.csv`), 'utf8'));
  return rows.map((row) => Object.fromEntries(head.map((name, index) => [name, row[index] ?? ''])));
}

const sumOf = (rows: Row[], column: string) => rows.reduce((sum, row) => sum + Number(row[column]), 0);

test('the twelve months contain all kinds of bookings', () => {
  const actions = [
    'charge',
    'fail',
    'paystack',
    'payLate',
    'transfer',
    'promotion',
    'refund',
    'correctUp',
    'correctDown',
  ];
  for (const action of [...actions, 'expiry', 'charge rejected'])
    expect(year.done[action]).toBeGreaterThan(10);
  for (const action of ['reopen', 'chargeback', 'takeBack', 'resolve', 'resolveMismatch', 'payBack'])
    expect(year.done[action]).toBeGreaterThan(3);
});

test('paid = earned + deferred + refunded + expired, to the kobo, for each wallet and for all', () => {
  const { status, stdout, stderr } = spawnSync('python3', [CHECKER, directory], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^Read 8 wallets, 60 closed months, /);
  const amounts = /^paid (\S+) = earned (\S+) \+ deferred (\S+) \+ refunded (\S+) \+ expired (\S+) /m;
  const [paid = 0, ...sides] = (amounts.exec(stdout) ?? [])
    .slice(1)
    .map((text) => Math.round(Number(text.replaceAll(',', '')) * 100));
  expect(sides.filter((kobo) => kobo > 0)).toHaveLength(4);
  expect(sides.reduce((sum, kobo) => sum + kobo, 0)).toBe(paid);
  // The closings also add up on their own, even if the use of lots is not recomputed.
  const closings = exported('closings');
  const last = closings.filter(({ month }) => month === LAST);
  expect(sumOf(closings, 'paid_kobo')).toBe(paid);
  const gone = ['earned_kobo', 'refunded_kobo', 'expired_kobo'].map((column) => sumOf(closings, column));
  expect(gone.reduce((sum, kobo) => sum + kobo, sumOf(last, 'deferred_kobo'))).toBe(paid);
  expect(stdout).toMatch(/^0 differences\.$/m);
  expect(status).toBe(0);
});

test('payments after a change of the rate of VAT keep their credits, at a price that is no longer exact', () => {
  const paid = exported('lots').filter(({ kind }) => kind === 'paid');
  const isInexact = (row: Row) =>
    Number(row['net_kobo']) !== Number(row['credits']) * Number(row['price_kobo']);
  const after = paid.filter(isInexact);
  expect(after.length).toBeGreaterThan(3);
  for (const row of after) expect(row['vat_basis_points']).toBe('1000');
  expect(new Set(paid.map((row) => row['vat_basis_points']))).toEqual(new Set(['750', '1000']));
});

test('aged balances are those of the end of the month, whatever happened to orders and refunds since', async () => {
  const withoutDeferred = ({ rows }: Report) => rows.filter(({ balance }) => balance !== 'DEFERRED');
  const kinds = new Set<unknown>();
  for (const [month, atItsEnd] of year.agedBalances) {
    const now = agedBalancesReport(await readMonth(month, 'live', year.source));
    expect(withoutDeferred(now)).toEqual(withoutDeferred(atItsEnd));
    for (const { balance } of now.rows) kinds.add(balance);
  }
  expect(year.agedBalances.size).toBe(12);
  expect(kinds).toEqual(new Set(['DEFERRED', 'UNPAID_ORDER', 'UNAPPLIED_CASH', 'UNPAID_REFUND']));
});

describe('the independent program finds', () => {
  /** Changes the first row that `isMeant` accepts, or removes it if `change` returns undefined. */
  type Mistake = readonly [
    name: string,
    file: ExportFile,
    isMeant: (row: Row) => boolean,
    change: (row: Row) => Row | undefined,
    report: RegExp,
  ];
  const raised = (column: string) => (row: Row) => ({
    ...row,
    [column]: String(Number(row[column]) + 1),
  });
  const isLater = ({ month = '' }: Row) => month === '2026-06';

  const MISTAKES: readonly Mistake[] = [
    ['one kobo too many in a closing', 'closings', isLater, raised('earned_kobo'), /2026-06 earned is/],
    [
      'one credit too many in the use of a lot',
      'lot_uses',
      isLater,
      raised('consumed_credits'),
      /2026-06 use of lots/,
    ],
    ['a charge that disappeared', 'charges', isLater, () => undefined, /2026-06 number of lines/],
    ['a charge with a different amount', 'charges', isLater, raised('credits'), /2026-06 charged credits is/],
    [
      'a credit booked into a closed month',
      'credits',
      ({ month = '' }) => month > '2026-06',
      (row) => ({ ...row, created_at: '2026-06-20T10:00:00.000Z', month: '2026-06' }),
      /2026-06 number of lines/,
    ],
    [
      'a refund from a different lot',
      'credits',
      ({ cause }) => cause === 'refund',
      toOtherLot,
      /use of lots is/,
    ],
    [
      'an invoice that is missing',
      'documents',
      ({ kind }) => kind === 'INVOICE',
      () => undefined,
      /are missing/,
    ],
    [
      'an invoice for a different amount',
      'documents',
      ({ kind }) => kind === 'INVOICE',
      raised('net_kobo'),
      /invoice of the lot/,
    ],
    [
      'a lot without a credit',
      'credits',
      ({ lot, cause }) => lot !== '' && cause === '',
      () => undefined,
      /credits and their lots/,
    ],
    ['a balance that is too high', 'wallets', () => true, raised('credited_credits'), /sum of credits is/],
    [
      'a payment of a different amount',
      'orders',
      ({ state }) => state === 'CREDITED',
      raised('paid_kobo'),
      /order of the lot/,
    ],
    [
      'a payment at the rate of VAT of another day',
      'lots',
      ({ kind, month = '' }) => kind === 'paid' && month === '2026-07',
      (row) => ({ ...row, vat_basis_points: '750' }),
      /VAT of the lot/,
    ],
    [
      'a charge that names a different lot',
      'charges',
      ({ lots = '' }) => lots !== '',
      (row) => ({ ...row, lots: 'X:1' }),
      /lots of the charge/,
    ],
    [
      'a statement that does not say which one it replaces',
      'documents',
      ({ replaces = '' }) => replaces !== '',
      (row) => ({ ...row, replaces: '' }),
      /statements of closed months/,
    ],
    ['a refund that is missing', 'refunds', () => true, () => undefined, /refunds and their credit notes/],
    ['a refund of a different amount', 'refunds', () => true, raised('total_kobo'), /refund of IDVC/],
    [
      'a refund without the reference of the bank',
      'refunds',
      ({ method, state }) => method === 'TRANSFER' && state === 'DONE',
      (row) => ({ ...row, refund_reference: '' }),
      /has a reference is/,
    ],
    [
      'a resolution without its time',
      'orders',
      ({ resolution = '' }) => resolution !== '',
      (row) => ({ ...row, resolved_at: '' }),
      /resolution is/,
    ],
    [
      'a reversed payment that is forgotten',
      'orders',
      ({ open_kobo: open = '' }) => open !== '',
      (row) => ({ ...row, open_kobo: '', problem: '' }),
      /open amount of the reversed payment/,
    ],
    [
      'a loss that is forgotten',
      'orders',
      ({ booked_as: as }) => as === 'loss',
      (row) => ({ ...row, booked_kobo: '' }),
      /open amount of the reversed payment/,
    ],
  ];

  let checked: ReturnType<typeof checkMistakes>;
  beforeAll(() => {
    const plant = ([name, file, isMeant, change]: Mistake) => {
      const rows = exported(file);
      const index = rows.findIndex(isMeant);
      const row = rows[index];
      if (!row) throw new Error('No row was meant.');
      const after = change({ ...row });
      const all = [...rows.slice(0, index), ...(after ? [after] : []), ...rows.slice(index + 1)];
      const quoted = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
      const lines = [quoted(Object.keys(row)), ...all.map((one) => quoted(Object.values(one)))];
      const text = `\ufeff${lines.join('\r\n')}\r\n`;
      return [name, (copy: string) => writeFileSync(join(copy, `${file}.csv`), text)] as const;
    };
    checked = checkMistakes(CHECKER, directory, Object.fromEntries(MISTAKES.map(plant)));
  });

  test.each(MISTAKES)('%s', (name, _file, _isMeant, _change, report) => {
    expect(checked.get(name)?.stderr).toMatch(report);
    expect(checked.get(name)?.status).toBe(1);
  });

  function toOtherLot(row: Row) {
    const isOther = ({ organisation, environment, lot, kind, month = '' }: Row) =>
      organisation === row['organisation'] &&
      environment === row['environment'] &&
      lot !== row['lot'] &&
      kind === 'paid' &&
      month <= (row['month'] ?? '');
    return { ...row, lot: exported('lots').find(isOther)?.['lot'] ?? '' };
  }
});

describe('docs/finance/export.md', () => {
  const balances = () =>
    exported('wallets')
      .filter((wallet) =>
        exported('credits').some(
          (row) =>
            row['organisation'] === wallet['organisation'] && row['environment'] === wallet['environment'],
        ),
      )
      .map((row) => ({
        key: `${row['name']} ${row['environment']}`,
        balance: Number(row['available_credits']) + Number(row['held_credits']),
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));

  test('contains an SQL query that adds up the balance of each wallet', () => {
    const [, query = ''] = /## Add up a balance\n.*?```sql\n(.*?)```/s.exec(EXPORT_PAGE) ?? [];
    const database = new DatabaseSync(':memory:');
    for (const file of ['credits', 'charges', 'wallets'] as const) {
      const [head = [], ...rows] = readCsv(readFileSync(join(directory, `${file}.csv`), 'utf8'));
      // Like `.import --csv`, which makes every column text.
      database.exec(`CREATE TABLE ${file} (${head.map((name) => `"${name}" TEXT`).join(', ')})`);
      const insert = database.prepare(`INSERT INTO ${file} VALUES (${head.map(() => '?').join(', ')})`);
      for (const row of rows) insert.run(...row);
    }
    const found = database.prepare(query).all();
    const sorted = found
      .map((row) => ({ ...row, key: `${row['name']} ${row['environment']}` }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(sorted).toHaveLength(5);
    expect(sorted).toEqual(
      balances().map(({ key, balance }) => expect.objectContaining({ key, computed: balance, balance })),
    );
    expect(balances().some(({ balance }) => balance > 0)).toBe(true);
  });

  test('contains a spreadsheet formula that adds up the balance of each wallet', () => {
    const [, formula = ''] = /^=(SUMIFS.*)$/m.exec(EXPORT_PAGE) ?? [];
    const sheets: Record<string, string[][]> = Object.fromEntries(
      EXPORT_FILE_NAMES.map((file) => [file, readCsv(readFileSync(join(directory, `${file}.csv`), 'utf8'))]),
    );
    const column = (letter: string) => letter.charCodeAt(0) - 'A'.charCodeAt(0);
    const SUMIFS = /([+-]?)SUMIFS\((\w+)!(\w):\w,\w+!(\w):\w,(\w)2,\w+!(\w):\w,(\w)2\)/g;
    const [head = [], ...wallets] = sheets['wallets'] ?? [];
    const computed = wallets.map((wallet) => {
      const terms = [...formula.matchAll(SUMIFS)].map(
        ([, sign, sheet = '', sum = '', a = '', is = '', b = '', and = '']) => {
          const rows = (sheets[sheet] ?? []).slice(1);
          const meant = rows.filter(
            (row) => row[column(a)] === wallet[column(is)] && row[column(b)] === wallet[column(and)],
          );
          const total = meant.reduce((all, row) => all + Number(row[column(sum)]), 0);
          return sign === '-' ? -total : total;
        },
      );
      expect(terms).toHaveLength(2);
      return terms.reduce((all, one) => all + one, 0);
    });
    // The formula is in the first free column. The page says that E + F is the balance.
    const [, cell = ''] = /In (\w)2, enter this/.exec(EXPORT_PAGE) ?? [];
    expect(column(cell)).toBe(head.length);
    expect(computed).toEqual(wallets.map((row) => Number(row[column('E')]) + Number(row[column('F')])));
  });
});

describe('the reports of a month', () => {
  test('agree with each other and with the closings', async () => {
    const months = await readMonth('2026-06', 'live', year.source);
    const closings = exported('closings').filter(
      (row) => row['month'] === '2026-06' && row['environment'] === 'live',
    );
    const revenue = totalsOf(revenueReport(months));
    expect(closings).toHaveLength(4);
    expect(revenue['earned_kobo']).toBe(sumOf(closings, 'earned_kobo'));
    expect(revenue['earned_kobo']).toBeGreaterThan(0);
    expect(totalsOf(customersReport(months))['earned_kobo']).toBe(revenue['earned_kobo']);
    for (const report of [usageReport(months), servicesReport(months), lotsReport(months)])
      expect(totalsOf(report)['earned_kobo']).toBe(revenue['earned_kobo']);
    expect(totalsOf(lotsReport(months))['deferred_kobo']).toBe(revenue['closing_deferred_kobo']);
    const deferred = agedBalancesReport(months).rows.filter(({ balance }) => balance === 'DEFERRED');
    expect(deferred.reduce((sum, row) => sum + Number(row['amount_kobo']), 0)).toBe(
      revenue['closing_deferred_kobo'],
    );
  });

  test('begin with the deferred revenue at the end of the previous month', async () => {
    const before = revenueReport(await readMonth('2026-05', 'live', year.source));
    const after = revenueReport(await readMonth('2026-06', 'live', year.source));
    expect(after.rows.map((row) => row['opening_deferred_kobo'])).toEqual(
      before.rows.map((row) => row['closing_deferred_kobo']),
    );
  });

  test('show the losses and receivables of each month, and carry what is open into the next', async () => {
    const months = Array.from({ length: 12 }, (_, index) => monthOf(Date.UTC(2026, 1 + index, 15)));
    const booked = exported('orders').filter((row) => row['environment'] === 'live');
    let opening = 0;
    for (const month of months) {
      const report = reversalsReport(await readMonth(month, 'live', year.source));
      const totals = totalsOf(report);
      for (const as of ['loss', 'receivable'])
        expect(totals[`${as}_kobo`]).toBe(
          sumOf(
            booked.filter((row) => row['booked_as'] === as && row['booked_month'] === month),
            'booked_kobo',
          ),
        );
      const isNew = (row: Report['rows'][number]) =>
        monthOf(Date.parse(String(row['reversed_at']))) === month;
      expect(report.rows.filter((row) => !isNew(row))).toHaveLength(opening);
      opening = report.rows.filter((row) => Number(row['open_kobo']) > 0).length;
    }
    expect(opening).toBeGreaterThan(0);
  });

  test('lead from each paid lot to its order, invoice and payment', async () => {
    const { rows } = lotsReport(await readMonth('2026-06', 'live', year.source));
    const paid = rows.filter(({ kind }) => kind === 'paid');
    expect(paid.length).toBeGreaterThan(4);
    for (const row of paid)
      for (const column of ['credit_reference', 'order', 'invoice', 'payment_reference', 'paid_at'])
        expect(row[column]).toMatch(/\S/);
  });

  test('state the output VAT of the invoices minus that of the credit notes', async () => {
    const live = exported('documents').filter((row) => row['environment'] === 'live');
    const month = live.find(({ kind }) => kind === 'CREDIT_NOTE')?.['month'] ?? '';
    const { rows } = vatReturnReport(await readMonth(month, 'live', year.source));
    const documents = live.filter((row) => row['month'] === month);
    const vatOf = (wanted: string) =>
      sumOf(
        documents.filter(({ kind }) => kind === wanted),
        'vat_kobo',
      );
    const total = rows.reduce((sum, row) => sum + Number(row['vat_kobo']), 0);
    expect(total).toBe(vatOf('INVOICE') - vatOf('CREDIT_NOTE'));
    expect(vatOf('CREDIT_NOTE')).toBeGreaterThan(0);
  });
});
