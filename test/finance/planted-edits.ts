import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { DAY_MS } from '../../shared/core/clock.ts';
import type { Row } from '../../shared/core/database.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { chargeKey, walletOfPk } from '../../shared/core/keys.ts';
import { statementKeys } from '../../shared/ledger/statement/statement.ts';
import { contentSha256Of } from '../../shared/payments/documents/compose-documents.ts';
import type { FinancialDocument } from '../../shared/payments/documents/financial-document.ts';
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
  readonly before: StoredRow | undefined;
  readonly after: StoredRow | undefined;
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

/** Texts about the presentation of a row, its people, and indexes that only schedule work. */
const NOT_MONEY =
  /^(pk|sk|dueKey|dueSort|dueAt|ordersSort|ordersKey|statementKey|statementSort|actor|reason|openedBy|requestedBy|startedAt|startedBy|by|checkoutUrl|returnUrl|expiresAt|effectiveAt|unpublished|problem|resolution|sends|version|createdBy|latencyMs|httpStatus|keyLabel|provider|requestId|holdId|numberTag|reversedAt)$/;

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
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return new Date(Date.parse(text) - 1_000).toISOString();
  if (/^\d{4}-\d\d$/.test(text)) return '2026-01';
  return `${text.slice(0, -1)}${text.endsWith('7') ? '8' : '7'}`;
}

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
    before: isInserted ? undefined : before,
    after: after && { tableName, row: after },
  });
  // It has moved no money.
  const isUnpaid = target === 'order, OPENED';
  const figures = figuresOf(row).flatMap((path) => {
    // The times of a list price are in its key.
    if (target === 'price' && path[0] === 'createdAt') return [];
    if (isUnpaid && /^(method|state)$/.test(path[0] ?? '')) return [];
    const changed = changedAt(row, path, otherValue) as Row;
    const name = `${path.join('.')} changed`;
    const isDocument = target.startsWith('document') && path[0] !== 'contentSha256';
    if (!isDocument) return [edit(name, changed)];
    // Names of people and companies are only in the document.
    if (/STATEMENT|CREDIT_NOTE/.test(target) && /seller|buyer|description/.test(name)) return [];
    const contentSha256 = contentSha256Of(unkeyed(changed));
    const plain = path[0] === 'vatKobo' || path[0] === 'buyer' ? [edit(name, changed)] : [];
    return [...plain, edit(`${name}, with its hash`, { ...changed, contentSha256 })];
  });
  if (isUnpaid) return figures;
  return [
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
  ];
}

function unkeyed({ pk: _, sk: __, ...content }: Row): FinancialDocument {
  return content as unknown as FinancialDocument;
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
