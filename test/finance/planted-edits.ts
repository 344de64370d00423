import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../../shared/core/clock.ts';
import type { Row } from '../../shared/core/database.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { chargeKey, walletOfPk } from '../../shared/core/keys.ts';
import { statementKeys } from '../../shared/ledger/statement/statement.ts';
import { contentSha256Of } from '../../shared/payments/documents/compose-documents.ts';
import type { FinancialDocument } from '../../shared/payments/documents/financial-document.ts';
import { amountInWords } from '../../shared/payments/documents/spell-amount.ts';
import type { RowChange } from '../ledger/storage/memory-store.ts';
import type { MemoryClient } from '../unit/payments/memory-payments.ts';

/** Edits that a person with access to the tables could make to rows about money. */

export interface StoredRow {
  readonly tableName: string;
  readonly row: Row;
}

export interface PlantedEdit {
  /** Such as `lot, paid, 2026-02`. */
  readonly target: string;
  readonly edit: string;
  readonly changes: readonly RowEdit[];
  /** Whether the seals are those of the edited rows. @default false */
  readonly reseals?: boolean;
}

/** `before` is undefined if the row is inserted, and `after` if it is deleted. */
interface RowEdit {
  readonly before?: StoredRow | undefined;
  readonly after?: StoredRow | undefined;
}

/** The rows that the tables have now. */
export function storedRows(writes: readonly RowChange[]): StoredRow[] {
  const rows = new Map<string, StoredRow>();
  for (const { tableName, pk, sk, row } of writes)
    if (row) rows.set(`${tableName} ${pk} ${sk}`, { tableName, row });
    else rows.delete(`${tableName} ${pk} ${sk}`);
  return [...rows.values()];
}

export async function write(
  { client }: MemoryClient,
  from: StoredRow | undefined,
  to: StoredRow | undefined,
): Promise<void> {
  if (from) {
    const { pk, sk } = from.row;
    await client.send(new DeleteCommand({ TableName: from.tableName, Key: { pk, sk } }));
  }
  if (to) await client.send(new PutCommand({ TableName: to.tableName, Item: to.row }));
}

/** What a row is called in the table, with the month to which it belongs. Undefined for rows that are not edited. */
function targetOf({ tableName, row }: StoredRow): string | undefined {
  const { sk, kind, state, month } = row;
  const key = String(sk);
  if (tableName === 'Wallets' && key === 'REFERENCE') return 'reference';
  if (tableName === 'Wallets' && key === 'CREDIT')
    return `credit, ${row['cause'] ?? kind}${Number(row['amount']) < 0 ? ', negative' : ''}`;
  if (tableName === 'Wallets' && key === 'CHARGE' && state === 'CHARGED')
    return /^2026-0[25]/.test(String(row['decidedAt']))
      ? `charge, ${String(row['decidedAt']).slice(0, 7)}`
      : undefined;
  if (tableName !== 'Payments') return undefined;
  if (key.startsWith('LOT#'))
    return `lot, ${kind === 'paid' ? 'paid' : 'free'}${month === '2026-05' ? ', 2026-05' : ''}`;
  if (key === 'CLOSE#2026-03') return undefined;
  if (key.startsWith('CLOSE#')) return `closing, ${month}`;
  if (key.startsWith('DOCUMENT#')) return `document, ${kind}`;
  if (key.startsWith('REFUND#')) return `refund, ${row['method']}`;
  if (key === 'ORDER') return `order, ${state}`;
  if (key === 'COUNTER') return 'counter';
  if (key === 'BILLING') return 'billing details';
  return String(row['pk']).startsWith('PRICES#') ? 'price' : undefined;
}

/** The rows to edit: one of each name, that of most figures. */
export function targetsIn(rows: readonly StoredRow[]): Map<string, StoredRow> {
  const targets = new Map<string, StoredRow>();
  for (const stored of rows) {
    const name = targetOf(stored);
    const known = name === undefined ? undefined : targets.get(name);
    const size = (one: StoredRow) => figuresOf(one.row).length;
    if (name !== undefined && (!known || size(stored) > size(known))) targets.set(name, stored);
  }
  return targets;
}

type Path = readonly string[];

/** Keys, and attributes that only schedule work. Those of charges are compared with their log rows, which are absent. */
const NOT_MONEY =
  /^(pk|sk|checkoutUrl|dueKey|dueSort|dueAt|unpublished|problem|sends|version|latencyMs|httpStatus|keyLabel|provider|requestId|holdId|numberTag)$/;

function figuresOf(value: unknown, path: Path = []): Path[] {
  if (NOT_MONEY.test(path[0] ?? '')) return [];
  if (typeof value === 'number' || typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  // The parts of a list are alike.
  const parts = Object.entries(value).slice(0, Array.isArray(value) ? 1 : undefined);
  return parts.flatMap(([name, part]) => figuresOf(part, [...path, name]));
}

function changedAt(value: unknown, [name, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (name === undefined) return change(value);
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...Object(value) };
  Object.assign(copy, { [name]: changedAt(Object(value)[name], rest, change) });
  return copy;
}

/** Another value of the same form, so that the row can still be read. */
function otherValue(old: unknown): unknown {
  if (typeof old === 'number') return old + 1;
  const text = String(old);
  const other = OTHERS.find((pair) => pair.includes(text))?.find((one) => one !== text);
  if (other !== undefined) return other;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return new Date(Date.parse(text) - 1_000).toISOString();
  if (/^\d{4}-\d\d$/.test(text)) return '2026-01';
  return `${text.slice(0, -1)}${text.endsWith('7') ? '8' : '7'}`;
}

const OPTIONAL =
  /^(bookedReversal|cause|closedAt|effectiveAt|expiresAt|isPaidBack|paidBackBy|problem|resolution|reversedAt)$/;
/** Attributes that a row may not have, or an item more. */
const ADDED: readonly (readonly [RegExp, (row: Row) => Row])[] = [
  [/^lot/, () => ({ expiresAt: '2027-01-01T00:00:00.000Z' })],
  [
    /^order, CREDITED/,
    ({ creditedAt }) => ({ problem: 'The payment was reversed.', reversedAt: creditedAt }),
  ],
  [/^document, STATEMENT/, () => ({ replaces: 'IDVS-2026-000001' })],
  [/^document/, ({ lines }) => ({ lines: [...(lines as Row[]), NO_LINE] })],
];
const NO_LINE = {
  ...{ description: 'Bonus', quantity: 10, unitKobo: 0 },
  ...{ netKobo: 0, vatBasisPoints: 750, vatKobo: 0, totalKobo: 0 },
};

const OTHERS = [
  ['paid', 'promotional'],
  ['INVOICE', 'RECEIPT'],
  ['CREDIT_NOTE', 'STATEMENT'],
  ['CREDITED', 'REFUNDED'],
  ['OPENED', 'EXPIRED'],
  ['CLOSED', 'CLOSING'],
  ['live', 'test'],
  ['TOP_UP', 'CORRECTION'],
  ['refund', 'expiry'],
  ['refunded', 'expired'],
  ['removed', 'refunded'],
  ['PAYSTACK', 'TRANSFER'],
  ['NGN', 'USD'],
  ['DONE', 'SENT'],
  ['REQUESTED', 'DONE'],
  ['FOUND', 'NO_PHOTO'],
  ['nin-basic', 'bvn-basic'],
];

/** Deletes, inserts, moves, and changes each figure of the row. */
export function editsOf(target: string, before: StoredRow): PlantedEdit[] {
  const { tableName, row } = before;
  const edit = (name: string, after: Row | undefined, isInserted = false): PlantedEdit => ({
    target,
    edit: name,
    changes: [{ before: isInserted ? undefined : before, after: after && { tableName, row: after } }],
  });
  // It has moved no money.
  const isUnpaid = target === 'order, OPENED';
  const figures = figuresOf(row).flatMap((path) => {
    // Paystack alone knows when a payment failed.
    if (path[0] === 'failedAt') return [];
    if (isUnpaid && /^(method|state|openedBy|ordersKey)$/.test(path[0] ?? '')) return [];
    const changed = changedAt(row, path, otherValue) as Row;
    const name = `${path.join('.')} changed`;
    const isDocument = target.startsWith('document') && path[0] !== 'contentSha256';
    if (!isDocument) return [edit(name, changed)];
    const plain = path[0] === 'vatKobo' || path[0] === 'buyer' ? [edit(name, changed)] : [];
    return [...plain, edit(`${name}, with its hash`, hashed(changed))];
  });
  const without = (...names: string[]) =>
    Object.fromEntries(Object.entries(row).filter(([key]) => !names.includes(key)));
  const { dueKey } = row;
  const due =
    dueKey === undefined
      ? []
      : [
          edit('dueKey removed', without('dueKey', 'dueSort')),
          edit('dueKey and dueAt removed', without('dueKey', 'dueSort', 'dueAt')),
          edit('dueSort changed', { ...row, dueSort: '9999#X' }),
        ];
  if (isUnpaid) return [...figures, ...due];
  const added = ADDED.find(([pattern]) => pattern.test(target))?.[1];
  return [
    ...Object.keys(row)
      .filter((name) => OPTIONAL.test(name))
      .map((name) => edit(`${name} removed`, hashed(without(name)))),
    ...(added ? [edit(`${Object.keys(added(row)).join()} added`, hashed({ ...row, ...added(row) }))] : []),
    edit('deleted', undefined),
    // A reference that is taken only prevents a later credit.
    ...(target === 'reference' ? [] : [edit('inserted', copyOf(row), true)]),
    edit('moved', movedRow(row)),
    ...(row['sk'] === 'CHARGE'
      ? [
          edit('a month earlier, with its keys', earlierCharge(row, String(row['operationId']))),
          edit('a month earlier, with its ID and keys', earlierCharge(row)),
        ]
      : []),
    ...figures,
    ...due,
  ];
}

/** A document with the hash of its content. */
function hashed(row: Row): Row {
  if (!String(row['sk']).startsWith('DOCUMENT#')) return row;
  const { pk: _, sk: __, ...content } = row;
  return { ...row, contentSha256: contentSha256Of(content as unknown as FinancialDocument) };
}

function earlierCharge(row: Row, known?: string): Row {
  const wallet = walletOfPk(String(row['pk']));
  if (!wallet) throw new Error('The charge belongs to no wallet.');
  const earlier = (time: unknown) => Date.parse(String(time)) - 30 * DAY_MS;
  const [requestedAt, decidedAt] = [row['requestedAt'], row['decidedAt']].map((time) =>
    new Date(earlier(time)).toISOString(),
  );
  const operationId = known ?? newOperationId(earlier(row['requestedAt']));
  return {
    ...{ ...row, ...chargeKey(wallet, operationId), operationId, holdId: `${operationId}.1` },
    ...{ requestedAt, decidedAt },
    ...statementKeys(wallet, Number(row['shard']), decidedAt ?? '', operationId),
  };
}

/** A copy under another key that has its form. */
function copyOf(row: Row): Row {
  const { pk, sk } = row;
  const [key, other] = [String(pk), String(sk)];
  if (other.startsWith('LOT#')) return { ...row, sk: next(other), id: next(String(row['id'])) };
  if (other.startsWith('DOCUMENT#')) {
    const number = next(other.slice('DOCUMENT#'.length), 900);
    return { ...row, sk: `DOCUMENT#${number}`, number };
  }
  if (other.startsWith('CLOSE#')) return { ...row, sk: 'CLOSE#2026-05', month: '2026-05' };
  if (other.startsWith('REFUND#'))
    return { ...row, sk: next(other), creditNote: next(String(row['creditNote'])) };
  if (other === 'COUNTER') return { ...row, pk: key.replace('2026', '2027') };
  if (key.startsWith('PRICES#')) return { ...row, sk: EARLY, from: EARLY, koboPerCredit: 1 };
  const name = other === 'CHARGE' ? 'operationId' : 'reference';
  const id = next(String(row[name]));
  const sort = row['statementSort'];
  return {
    ...row,
    ...{ pk: key.replace(String(row[name]), id), [name]: id },
    ...(sort !== undefined && { statementSort: String(sort).replace(String(row[name]), id) }),
    ...(row['ordersSort'] !== undefined && { ordersSort: `${row['openedAt']}#${id}` }),
    ...(other === 'CHARGE' && { holdId: `${id}.1` }),
  };
}

const EARLY = '2026-02-10T00:00:00.000Z';

/** Another ID of the same form, later than the old one by little. */
function next(id: string, distance = 1): string {
  const digits = /\d+$/.exec(id)?.[0];
  if (digits === undefined) return `${id.slice(0, -1)}${id.endsWith('Z') ? '0' : 'Z'}`;
  const count = String(Number(digits) + distance).padStart(digits.length, '0');
  return `${id.slice(0, -digits.length)}${count}`;
}

/** To the other wallet of the organisation, or to another key. */
function movedRow(row: Row): Row {
  const key = String(row['pk']);
  if (!/^(live|test)#/.test(key)) return copyOf(row);
  const env = key.startsWith('live') ? 'test' : 'live';
  const inOther = (text: unknown) => String(text).replace(/^(live|test)#/, `${env}#`);
  return {
    ...row,
    pk: inOther(key),
    ...(row['env'] !== undefined && { env }),
    ...(row['statementKey'] !== undefined && { statementKey: inOther(row['statementKey']) }),
    ...(row['ordersKey'] !== undefined && { ordersKey: inOther(row['ordersKey']) }),
  };
}

type Parts = Readonly<Record<'order' | 'invoice' | 'receipt' | 'lot' | 'credit' | 'reference', StoredRow>>;

const NOT_DUE = { dueKey: undefined, dueSort: undefined };

/** States that no function or person brought about. */
export function editsOfStates(rows: readonly StoredRow[]): PlantedEdit[] {
  const edits = (
    target: string,
    isTarget: (row: Row) => boolean,
    changes: Readonly<Record<string, object>>,
  ) => {
    const before = rows.find(({ row }) => isTarget(row));
    if (!before) throw new Error(`There is no row for: ${target}.`);
    return Object.entries(changes).map(([edit, change]): PlantedEdit => {
      const after = { ...before, row: { ...before.row, ...change } };
      return {
        target,
        edit,
        changes: [after.row['sk'] === before.row['sk'] ? { before, after } : { after }],
      };
    });
  };
  const isOrder = (state: string) => (row: Row) => row['sk'] === 'ORDER' && row['state'] === state;
  const isRefund = (state: string) => (row: Row) =>
    String(row['sk']).startsWith('REFUND#') && row['state'] === state;
  const [openedAt, startedAt] = ['2026-02-02T00:00:00.000Z', '2099-02-15T00:00:00.000Z'];
  const payment = {
    amountKobo: 1,
    currency: 'NGN',
    paidAt: openedAt,
    channel: 'card',
    providerReference: '7',
  };
  const future = { sk: 'CLOSE#2026-05', month: '2026-05', state: 'CLOSING', version: 1, startedAt };
  return [
    ...edits('order, unpaid', isOrder('OPENED'), {
      'paid, but never due': {
        state: 'PAID',
        payment,
        ...NOT_DUE,
        dueAt: undefined,
      },
      'due too late': { dueAt: startedAt, dueSort: `${startedAt}#customer00` },
    }),
    ...edits('order, not decided', ({ state, problem }) => state === 'MISMATCH' && problem !== undefined, {
      'problem changed': { problem: 'Nothing to do.' },
      'resolved without a time': { problem: undefined, ...NOT_DUE, resolution: 'Returned' },
      'resolved before it': { problem: undefined, ...NOT_DUE, resolution: 'Returned', resolvedAt: openedAt },
    }),
    ...edits('sale', isOrder('CREDITED'), {
      'reversed before it': { reversedAt: '2026-01-10T00:00:00.000Z', resolution: 'Settled' },
    }),
    ...edits('refund, done', isRefund('DONE'), {
      'another amount paid back': { paidBackKobo: 1 },
      'done before it': { doneAt: '2026-01-10T00:00:00.000Z' },
    }),
    ...edits('last closing', ({ sk }) => sk === 'CLOSE#2026-04', {
      reopened: { state: 'REOPENED', version: 3 },
      'being closed again': { state: 'CLOSING', version: 4 },
      'closed twice': { version: 5 },
      'of a month that has not ended': { ...future, figures: undefined, closedAt: undefined },
    }),
    ...edits('free lot', ({ sk, koboPerCredit }) => /^LOT#/.test(String(sk)) && koboPerCredit === 0, {
      'consumed 0': { consumed: { '2026-04': 0 } },
    }),
  ];
}

export function rowFinder(rows: readonly StoredRow[]): (isWanted: (row: Row) => boolean) => StoredRow {
  return (isWanted) => {
    const stored = rows.find(({ row }) => isWanted(row));
    if (!stored) throw new Error(`No row: ${isWanted}`);
    return stored;
  };
}

/** Edits of several rows that then agree with each other. */
export function editsOfSales(rows: readonly StoredRow[]): PlantedEdit[] {
  const find = rowFinder(rows);
  const keyed = (pk: string, sk: string) => find((row) => row['pk'] === pk && row['sk'] === sk);
  const partsOf = (order: StoredRow): Parts => {
    const { organisationId, invoice, receipt, lot: id } = order.row;
    const wallet = `live#${organisationId}`;
    const lot = keyed(wallet, `LOT#${id}`);
    const documents = [invoice, receipt].map((number) => keyed(wallet, `DOCUMENT#${number}`));
    const [first = lot, second = lot] = documents;
    const credit = keyed(`${wallet}#${lot.row['reference']}`, 'CREDIT');
    const reference = keyed(`live#REFERENCE#${lot.row['reference']}`, 'REFERENCE');
    return { order, invoice: first, receipt: second, lot, credit, reference };
  };
  const sales = rows
    .filter(({ row }) => row['sk'] === 'ORDER' && row['state'] === 'CREDITED')
    .sort((a, b) => (String(a.row['creditedAt']) < String(b.row['creditedAt']) ? 1 : -1))
    .map(partsOf);
  const [last, other] = sales;
  if (!last || !other) throw new Error('There are fewer than two sales.');
  const removed = rows
    .filter(({ row }) => row['sk'] === 'CREDIT' && Number(row['amount']) < 0 && !row['cause'])
    .sort((a, b) => (String(a.row['createdAt']) < String(b.row['createdAt']) ? -1 : 1))
    .at(-1);
  const documents = rows.filter(({ row }) => String(row['sk']).startsWith('DOCUMENT#'));
  const { netKobo = 0, vatKobo = 0 } = last.order.row as {
    readonly netKobo?: number;
    readonly vatKobo?: number;
  };
  const edit = (name: string, ...changes: readonly (readonly RowEdit[])[]): PlantedEdit => ({
    target: 'sale',
    edit: name,
    changes: changes.flat(),
  });
  const { order, invoice, receipt, lot, credit } = last;
  const booked = [order, invoice, receipt, lot];
  return [
    edit('erased', Object.values(last).map(deleted), lowered(rows, last), available(rows, last.credit)),
    edit('VAT less by 1 kobo', booked.map(withVat(netKobo, vatKobo - 1))),
    edit('VAT 0', booked.map(withVat(netKobo, 0, 0))),
    edit('documents a month later', [invoice, receipt].map(changed(aMonthLater))),
    edit('another buyer on both documents', [invoice, receipt].map(changed(renamed('buyer')))),
    edit('numbers swapped with another sale', swapped(last, other)),
    edit('payments swapped with another sale', paidBy(last, other), paidBy(other, last)),
    edit('another seller on all documents', documents.map(changed(renamed('seller')))),
    edit('a credit more on all rows', [...booked, credit].map(changed(oneMore)), available(rows, credit, 1)),
    edit('free credits inserted', ...freeCredits(rows, last)),
    ...(removed ? [edit('correction deleted', [deleted(removed)], available(rows, removed))] : []),
  ];
}

const deleted = (before: StoredRow): RowEdit => ({ before });
const changed =
  (change: (row: Row) => Row) =>
  (before: StoredRow): RowEdit => ({ before, after: { ...before, row: hashed(change(before.row)) } });

/** Changes all figures and texts with these names. */
function mapped(value: unknown, change: (name: string, old: unknown) => unknown, name = ''): unknown {
  if (typeof value !== 'object' || value === null) return change(name, value);
  if (Array.isArray(value)) return value.map((part) => mapped(part, change, name));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapped(part, change, key)]));
}

const withVat = (netKobo: number, vatKobo: number, rate?: number) => {
  const values: Row = {
    ...{ vatKobo, totalKobo: netKobo + vatKobo, amountKobo: netKobo + vatKobo },
    totalInWords: amountInWords(netKobo + vatKobo),
    ...(rate !== undefined && { vatBasisPoints: rate }),
  };
  return changed((row) => mapped(row, (name, old) => values[name] ?? old) as Row);
};

function aMonthLater(row: Row): Row {
  const issuedAt = new Date(Date.parse(String(row['issuedAt'])) + 31 * DAY_MS).toISOString();
  return { ...row, issuedAt, month: issuedAt.slice(0, 7) };
}

const renamed = (party: 'buyer' | 'seller') => (row: Row) => ({
  ...row,
  [party]: { ...Object(row[party]), name: 'Another Company Ltd' },
});

const oneMore = (row: Row) =>
  mapped(row, (name, old) =>
    /^(credits|amount|remaining|quantity)$/.test(name) ? Number(old) + 1 : old,
  ) as Row;

/** As if the credit had another amount: 0 by default, or more. */
function available(rows: readonly StoredRow[], { row: credit }: StoredRow, more?: number): RowEdit[] {
  const [env, organisation] = String(credit['pk']).split('#');
  const pk = `${env}#${organisation}#${String(credit['shard']).padStart(2, '0')}`;
  const by = more ?? -Number(credit['amount']);
  return rows
    .filter(({ row }) => row['pk'] === pk && row['sk'] === 'WALLET')
    .map(
      changed((row) => ({
        ...row,
        available: Number(row['available']) + by,
        credited: Number(row['credited']) + by,
      })),
    );
}

/** The counters of the documents of the last sale. */
function lowered(rows: readonly StoredRow[], { invoice, receipt }: Parts): RowEdit[] {
  return [invoice, receipt].flatMap(({ row }) => {
    const [, series = '', count] = /^(.+)-(\d+)$/.exec(String(row['number'])) ?? [];
    const before = `DOCUMENT#${series}-${String(Number(count) - 1).padStart(6, '0')}`;
    const issuedAt = rows.find((one) => one.row['sk'] === before)?.row['issuedAt'];
    const counters = rows.filter((one) => one.row['pk'] === `COUNTER#${series}`);
    return counters.map(changed((counter) => ({ ...counter, last: Number(counter['last']) - 1, issuedAt })));
  });
}

function swapped(one: Parts, other: Parts): RowEdit[] {
  const [first, second] = [String(one.invoice.row['number']), String(other.invoice.row['number'])];
  const swap = (_: string, old: unknown) => (old === first ? second : old === second ? first : old);
  return [one, other].flatMap(({ order, invoice, receipt, lot }) =>
    [order, invoice, receipt, lot].map(
      changed((row) => {
        const after = mapped(row, swap) as Row;
        return row === invoice.row ? { ...after, sk: `DOCUMENT#${after['number']}` } : after;
      }),
    ),
  );
}

function paidBy({ order, invoice, receipt }: Parts, { order: other }: Parts): RowEdit[] {
  const { providerReference } = Object(other.row['payment']);
  const swap = (name: string, old: unknown) => (name === 'providerReference' ? providerReference : old);
  return [order, invoice, receipt].map(changed((row) => mapped(row, swap) as Row));
}

/** Copies of a sale's credit, its reference and a free lot. */
function freeCredits(rows: readonly StoredRow[], { credit, reference, lot }: Parts): RowEdit[][] {
  const [old, id] = [
    String(credit.row['reference']),
    newOperationId(Date.parse(String(credit.row['createdAt']))),
  ];
  const unpaid = { kind: 'promotional', koboPerCredit: 0, netKobo: 0, vatKobo: 0, vatBasisPoints: 0 };
  const copied = ({ tableName, row }: StoredRow): RowEdit => {
    const texts = (_: string, text: unknown) =>
      typeof text === 'string' ? text.replaceAll(old, 'GIFT-1').replaceAll(String(lot.row['id']), id) : text;
    const { order: _, invoice: __, ...copy } = mapped(row, texts) as Row;
    const isLot = row === lot.row;
    return {
      after: {
        tableName,
        row: isLot ? { ...copy, ...unpaid, consumed: {}, remaining: row['credits'] } : copy,
      },
    };
  };
  return [[credit, reference, lot].map(copied), available(rows, credit, Number(credit.row['amount']))];
}
