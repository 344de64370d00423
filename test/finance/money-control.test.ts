import { readFileSync, writeFileSync } from 'node:fs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../shared/audit/recorder.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import type { Row } from '../../shared/core/database.ts';
import { ENVIRONMENTS } from '../../shared/core/environment.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import { auditKey, type WalletId, walletName } from '../../shared/core/keys.ts';
import { NO_LINES } from '../../shared/ledger/reconcile/closed-months.ts';
import { reconcileWallets } from '../../shared/ledger/reconcile/reconcile.ts';
import { reconcileDay } from '../../shared/ledger/reconcile/reconcile-day.ts';
import type { Difference } from '../../shared/ledger/reconcile/rows.ts';
import { NO_SEALS, newHead, type ReconciliationRun, type Seal } from '../../shared/ledger/reconcile/seal.ts';
import type { StatementTable } from '../../shared/ledger/statement/statement-table.ts';
import { automaticTable } from '../../shared/payments/automatic/automatic-table.ts';
import { moneySource } from '../../shared/payments/control/money-source.ts';
import { lotPositions } from '../../shared/payments/lots/lot-positions.ts';
import { closedMonthSource } from '../../shared/payments/months/recompute-months.ts';
import { type TopUpOrder, topUpOrder } from '../../shared/payments/orders/order.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { readMonth } from '../../shared/payments/reports/accounts-source.ts';
import { exportAccounts } from '../../shared/payments/reports/export-accounts.ts';
import { exportedSource, MemorySeals } from '../reconcile/exported-tables.ts';
import { type InventedYear, inventYear } from './invented-year.ts';
import {
  editsOf,
  editsOfSales,
  editsOfStates,
  type PlantedEdit,
  type StoredRow,
  storedRows,
  targetsIn,
  write,
} from './planted-edits.ts';
import { editsOfKinds } from './planted-kinds.ts';

/**
 * Edits the rows about money of three closed months and an open one, each edit alone, and reconciles every day until it
 * is found. `planted-edits.csv` has all edits with the first run that finds them, and what it reports.
 */

/** As for `npm run test:long`. */
const isComplete = process.env['ALL_CASES'] === '1';
const FILE = new URL('planted-edits.csv', import.meta.url);
const DAYS = 28;
/** The invented wallets have no log rows, and a request that was never settled. */
const EXPECTED: readonly Difference['kind'][] = ['charge-without-log', 'day-totals', 'old-hold'];
const NAMES = { payments: 'Payments', wallets: 'Wallets', auditTrail: 'AuditTrail' };
/** Before the first invented row. */
const CREATED_AT = '2026-01-31T00:00:00.000Z';

let year: InventedYear;
let healthy: readonly StoredRow[];
let edits: readonly PlantedEdit[];
const seals = new MemorySeals();

beforeAll(async () => {
  const months = { first: '2026-02', months: 4, endsAt: '2026-05-20T00:00:00.000Z' };
  year = await inventYear({ seed: 20, ...months, actions: 60, organisations: 1 });
  const request = {
    ...{ actor: 'ada', action: 'price set', target: 'request 01 for price from 2026-05-19' },
    ...{ commandId: newOperationId(), after: { koboPerCredit: 1, reason: 'not approved' } },
  };
  const [id, at] = [newOperationId(year.nowMs()), new Date(year.nowMs()).toISOString()];
  const Item = { ...auditKey(undefined, id), ...request, id, at };
  await year.memory.client.send(new PutCommand({ TableName: 'AuditTrail', Item }));
  const credited = storedRows(year.memory.writes).findLast(
    ({ row }) => row['state'] === 'CREDITED' && row['env'] === 'live',
  );
  if (!credited) throw new Error('No order was credited.');
  const { client } = year.memory;
  const run = { actor: 'key:0123456789ab', action: 'top-up start', commandId: newOperationId() };
  const recorder = auditRecorder(auditTable(client, 'AuditTrail'), run, () => year.nowMs());
  const orders = orderTable(client, 'Payments', recorder);
  const [unpaid, failed] = [unpaidOrder(credited.row), unpaidOrder(credited.row)];
  for (const order of [unpaid, failed]) await orders.insertOrder(order);
  const { dueAt: _, ...ended } = failed;
  await orders.moveOrder(failed, { ...ended, state: 'FAILED', failedAt: failed.openedAt });
  await setUpAutomatic();
  healthy = storedRows(year.memory.writes);
  begin(seals);
  const live = healthy.filter(({ row }) => !String(row['pk']).startsWith('test'));
  const single = [...targetsIn(live)].flatMap(([target, stored]) => editsOf(target, stored));
  edits = [...single, ...editsOfSales(live), ...editsOfStates(live), ...editsOfKinds(live)];
});

/** There was a run before months were closed. */
function begin(own: MemorySeals): void {
  const head = { ...newHead('2026-01-29'), version: 1 };
  for (const wallet of wallets()) own.heads.set(walletName(wallet), head);
}

/** A member saved it, and another purchase was paid back since. */
async function setUpAutomatic(): Promise<void> {
  const { client } = year.memory;
  const by = { actor: 'member:1', action: 'automatic top-up', commandId: newOperationId() };
  const recorder = auditRecorder(auditTable(client, 'AuditTrail'), by, () => year.nowMs());
  await automaticTable(client, 'Payments', recorder).saveAutomatic(undefined, {
    ...{ organisationId: 'customer00', state: 'ON', thresholdCredits: 100, credits: 500 },
    ...{ monthlyCapKobo: 10_000_000, changedBy: 'member:1', version: 0 },
    ...{ changedAt: '2026-05-02T00:00:00.000Z', paidBackAt: new Date(year.nowMs()).toISOString() },
  });
}

/** Another order of the same customer. */
function unpaidOrder(credited: Row): TopUpOrder {
  const {
    lot: _,
    invoice: __,
    receipt: ___,
    creditedAt,
    payment,
    unpublished,
    ...order
  } = v.parse(topUpOrder, credited);
  const { openedAt: dueAt } = order;
  return { ...order, state: 'OPENED', reference: `TOPUP-${newOperationId(Date.parse(dueAt))}`, dueAt };
}

const nowMs = (day: number) => year.nowMs() + day * DAY_MS;
const wallets = () =>
  year.organisations.flatMap(({ id }) => ENVIRONMENTS.map((env) => ({ env, organisationId: id })));

function sourceOf(rows: readonly StoredRow[], day: number, own: MemorySeals) {
  const of = (name: string) => rows.filter(({ tableName }) => tableName === name).map(({ row }) => row);
  const tables = { apiKeys: of('ApiKeys'), wallets: of('Wallets'), logs: [] };
  const clock = { nowMs: () => nowMs(day), pause: async () => undefined, random: () => 0.5 };
  const { lots, closings, statement } = year.deps;
  const source = {
    ...exportedSource(() => tables, clock.nowMs, own),
    closedMonths: closedMonthSource(closings, { lots, statement }),
    money: moneySource(year.memory.client, NAMES, year.deps.settings),
  };
  return { source, clock };
}

const unexpected = (found: readonly Difference[]) => found.filter(({ kind }) => !EXPECTED.includes(kind));

/** One daily run. */
async function runDay(rows: readonly StoredRow[], day: number, own: MemorySeals): Promise<Difference[]> {
  const { source, clock } = sourceOf(rows, day, own);
  const settings = {
    logRetentionDays: 365,
    endsAtMs: Number.POSITIVE_INFINITY,
    isForced: true,
  };
  const found: Difference[] = [];
  await reconcileDay(source, settings, clock, (some) => found.push(...some));
  return unexpected(found);
}

test('daily and complete runs find nothing in healthy rows', async () => {
  for (let day = 0; day <= 2; day += 1) expect(await runDay(healthy, day, seals)).toEqual([]);
  const { source, clock } = sourceOf(healthy, 2, seals);
  const { differences } = await reconcileWallets(source, { logRetentionDays: 365 }, clock);
  expect(unexpected(differences)).toEqual([]);
});

test('a new stage without organisations can be reconciled, every day and completely', async () => {
  expect(await runDay([], 0, new MemorySeals())).toEqual([]);
  const { source, clock } = sourceOf([], 0, new MemorySeals());
  const { differences } = await reconcileWallets(source, { logRetentionDays: 365 }, clock);
  expect(differences).toEqual([]);
});

describe('sealed days', () => {
  test('leave the same unspent credits in each lot as their rows', async () => {
    const { deps } = year;
    // No month counts as closed, and the missing log rows do not matter here.
    const closings = { latestClosings: async function* () {} };
    const sealed = {
      async *seals(wallet: WalletId, first: string, last: string) {
        for await (const one of seals.seals(wallet, first, last)) yield { ...one, differences: 0 };
      },
    };
    const none = { seals: async function* () {} };
    const read: string[] = [];
    const statement: StatementTable = {
      entries: (wallet, month, ...rest) => {
        read.push(month);
        return deps.statement.entries(wallet, month, ...rest);
      },
    };
    for (const wallet of wallets()) {
      const reads = { ...deps, closings, statement };
      const ofRows = await lotPositions(wallet, { ...reads, seals: none }, year.nowMs());
      read.length = 0;
      expect(await lotPositions(wallet, { ...reads, seals: sealed }, year.nowMs())).toEqual(ofRows);
      expect([...new Set(read)]).toEqual(['2026-05']);
    }
  });

  test.each<[string, (seal: Seal) => Partial<Seal>]>([
    ['spans', ({ spans = [] }) => ({ spans: spans.map((one) => ({ ...one, amount: one.amount - 1 })) })],
    ['months', ({ months }) => ({ months: { ...months, '2026-01': NO_LINES } })],
    ['requested', ({ requested }) => ({ requested: { ...requested, '2026-01-01': 1 } })],
    ['usageSums', () => ({ usageSums: {} })],
    ['logsExpireAt', () => ({ logsExpireAt: 1 })],
    ['sealedAt', ({ day }) => ({ sealedAt: `${day}T00:00:00.000Z` })],
  ])('whose %s were changed are found', async (_, change) => {
    const own = copyOf(seals);
    const [key, day] = [...own.days].find(([, { spans = [] }]) => spans.length > 1) ?? [];
    if (!key || !day) throw new Error('No day has several spans.');
    own.days.set(key, { ...day, ...change(day) });
    const kinds: string[] = [];
    for (let run = 3; run < 3 + DAYS && kinds.length === 0; run += 1)
      kinds.push(...(await runDay(healthy, run, own)).map(({ kind }) => kind));
    expect(kinds).toContain('sealed-day');
  });

  test('of an earlier version, without hashes of lines, agree', async () => {
    const own = copyOf(seals);
    for (const [key, day] of own.days) {
      const months = Object.entries(day.months).map(([month, { linesXor: _, ...tally }]) => [month, tally]);
      own.days.set(key, { ...day, months: Object.fromEntries(months) });
    }
    for (let run = 3; run < 5; run += 1) expect(await runDay(healthy, run, own)).toEqual([]);
  });

  const LIVE = 'live#customer00';
  const headOf = (own: MemorySeals) => own.heads.get(LIVE) ?? newHead('');
  test.each<[string, (own: MemorySeals) => void]>([
    ['deleted', (own) => void own.heads.delete(LIVE)],
    ['deleted with all seals', (own) => void [own.heads, own.days].map((rows) => rows.clear())],
    ['deleted with all seals and the run', (own) => void Object.assign(own, new MemorySeals())],
    ['set back', (own) => void own.heads.set(LIVE, { ...headOf(own), sealedUntil: '2026-04-10' })],
    ['of other totals', (own) => void own.heads.set(LIVE, { ...headOf(own), total: NO_SEALS })],
    ['verified too far', (own) => void own.heads.set(LIVE, { ...headOf(own), verifiedUntil: '2027-01-01' })],
  ])('whose head was %s are found once, and then the runs continue', async (_, change) => {
    const own = copyOf(seals);
    change(own);
    const kinds = (await runDay(healthy, 3, own)).map(({ kind }) => kind);
    expect([...new Set(kinds)]).toEqual(['sealed-day']);
    expect(own.run?.completedAt).toBeDefined();
    expect(await runDay(healthy, 4, own)).toEqual([]);
    expect(headOf(own).sealedUntil).toBe(headOf(seals).sealedUntil);
  });

  test('of a run in the future do not stop the next one', async () => {
    const own = copyOf(seals);
    own.run = { ...(own.run as ReconciliationRun), startedAt: '2030-01-01T00:00:00.000Z' };
    const { source, clock } = sourceOf(healthy, 3, own);
    const settings = { logRetentionDays: 365, endsAtMs: Number.POSITIVE_INFINITY, isForced: false };
    expect(await reconcileDay(source, settings, clock, () => undefined)).toMatchObject({
      status: 'complete',
    });
  });
});

describe('a planted edit', () => {
  test('is found within a day, or within a month if a closed month must be read again', async () => {
    const always = edits.filter(({ target, edit }) => ALWAYS.has(`${target}: ${edit}`));
    expect(always).toHaveLength(ALWAYS.size);
    const cases = isComplete ? edits : always;
    const lines: string[] = [];
    for (const edit of cases) lines.push(await findEdit(edit));
    if (process.env['UPDATE'] && isComplete) writeFileSync(FILE, `${[HEAD, ...lines].join('\n')}\n`);
    expect(lines.filter((line) => line.endsWith(UNFOUND))).toEqual([]);
    expect(readFileSync(FILE, 'utf8').split('\n')).toEqual(expect.arrayContaining(lines));
  });

  test('of a bank transfer, as if it had been reversed, is found without the trail', async () => {
    const before = healthy.find(({ row }) => row['state'] === 'CREDITED' && row['method'] === 'TRANSFER');
    if (!before) throw new Error('No transfer was credited.');
    const reversal = { problem: 'The payment was reversed.', reversedAt: before.row['creditedAt'] };
    const after = { ...before, row: { ...before.row, ...reversal } };
    await write(year.memory, before, after);
    const found = await controlAlone();
    await write(year.memory, after, before);
    const expected = {
      kind: 'order',
      reference: before.row['reference'],
      expected: 'a transfer, which a person credits',
    };
    expect(found).toContainEqual(expect.objectContaining(expected));
  });

  test('of a document stops reports and exports', async () => {
    const edit = edits.find((one) => one.edit === 'vatKobo changed' && one.target === 'document, INVOICE');
    const [change] = edit?.changes ?? [];
    await write(year.memory, change?.before, change?.after);
    const { month } = (change?.before?.row ?? {}) as { month: string };
    const range = { from: '2026-02-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' };
    const exported = async () => {
      for await (const _ of exportAccounts(range, year.source, () => nowMs(2)));
    };
    await expect(readMonth(month, 'live', year.source)).rejects.toThrow('was changed after it was issued');
    await expect(exported()).rejects.toThrow('was changed after it was issued');
    await write(year.memory, change?.after, change?.before);
  });
});

/** One for each rule, and those that the control had missed. */
const ALWAYS = new Set([
  'price: koboPerCredit changed',
  'counter: last changed',
  'counter: issuedAt changed',
  'price: inserted',
  'order, MISMATCH: deleted',
  'order, MISMATCH: inserted',
  'order, MISMATCH: payment.amountKobo changed',
  'refund, TRANSFER: paidBackBy changed',
  'reference: organisationId changed',
  'order, CREDITED: deleted',
  'order, CREDITED: state changed',
  'lot, paid: koboPerCredit changed',
  'lot, free: kind changed',
  'document, INVOICE: contentSha256 changed',
  'document, INVOICE: inserted',
  'document, CREDIT_NOTE: deleted',
  'credit, TOP_UP: inserted',
  'credit, CORRECTION, negative: amount changed',
  'refund, PAYSTACK: state changed',
  'charge, 2026-05: a month earlier, with its keys',
  'charge, 2026-05: a month earlier, with its ID and keys',
  'closing, 2026-02: deleted',
  'closing, 2026-02: figures.value.paidKobo changed',
  'closing, 2026-02: figures.lotsSha256 changed',
  'closing, 2026-04: state changed',
  'closing, 2026-04: figures.linesSha256 changed',
  'order, OPENED: credits changed',
  'order, OPENED: expiresAt changed',
  'order, MISMATCH: problem removed',
  'lot, paid: expiresAt added',
  'document, INVOICE: lines added',
  'document, STATEMENT: replaces added',
  'billing details: name changed',
  'refund, PAYSTACK: reason changed',
  'sale: erased',
  'sale: VAT less by 1 kobo',
  'sale: documents a month later',
  'sale: numbers swapped with another sale',
  'sale: another seller on all documents',
  'sale: free credits inserted',
  'sale: correction deleted',
  'order, MISMATCH: dueKey removed',
  'order, CREDITED: dueSort changed',
  'order, OPENED: dueKey and dueAt removed',
  'order, unpaid: paid, but never due',
  'order, unpaid: due too late',
  'order, not decided: problem changed',
  'order, not decided: resolved without a time',
  'order, not decided: resolved before it',
  'sale: reversed before it',
  'refund, done: another amount paid back',
  'refund, done: done before it',
  'last closing: reopened',
  'last closing: being closed again',
  'last closing: closed twice',
  'last closing: of a month that has not ended',
  'free lot: consumed 0',
  'price: inserted, of a later time',
  'price: of the stage inserted, of a later time',
  'price: inserted, of another zone',
  'price: of nobody inserted',
  'billing details: deleted',
  'billing details: changed, of a later time',
  'organisation: price 0',
  'organisation: price changed',
  'organisation: inserted',
  'refund, TRANSFER: with a problem',
  'refund, TRANSFER: to be paid again',
  'refund, TRANSFER: inserted at an unpaid order',
  'automatic top-up: charged in the next month',
  'automatic top-up: charged an amount without an order',
  'automatic top-up: charging an order that is none',
  'automatic top-up: of another organisation',
  'automatic top-up: not due',
  'automatic top-up: on, with the reason of a stop',
  'automatic top-up: not paid back',
  'automatic top-up: saved later',
  'last closing: being closed for the first time',
  'price: inserted, of an old month',
  'price: of the stage inserted, of an old month',
  'shard: walletsKey changed',
  'automatic top-up: inserted',
  'automatic top-up: inserted, unreadable',
  'automatic top-up: of nobody inserted',
  'counter: last of another type',
  'counter: last with a fraction',
  'counter: issuedAt removed',
  'counter: of another series inserted',
  'reference: inserted',
  'shard: moved changed',
  'charge, 2026-05: cost negative, with the balance',
  'charge, 2026-04: of another key, with its seal',
  'order, this month: deleted',
  'order, this month: of another organisation',
  'order, this month: without an organisation',
  'order, this month: a hundred times as much',
  'order, this month: another checkout',
  'order, this month: another return page',
  'order, this month: by bank transfer',
  'order, this month: paid, but not as ordered',
  'order, this month: inserted',
  'order, FAILED: paid',
  'order, CREDITED: problem added',
]);

const HEAD = '"row","edit","day","differences"';
const UNFOUND = '"unfound",""';

const isSame = (a: StoredRow | undefined, b: StoredRow | undefined) =>
  a?.tableName === b?.tableName && a?.row['pk'] === b?.row['pk'] && a?.row['sk'] === b?.row['sk'];

async function findEdit({ target, edit, changes, reseals }: PlantedEdit): Promise<string> {
  const [earlier, later] = [
    changes.flatMap(({ before }) => before ?? []),
    changes.flatMap(({ after }) => after ?? []),
  ];
  const isTouched = (one: StoredRow) => [...earlier, ...later].some((other) => isSame(one, other));
  const touched = healthy.filter(isTouched);
  for (const before of earlier) await write(year.memory, before, undefined);
  for (const after of later) await write(year.memory, undefined, after);
  try {
    const rows = [...healthy.filter((one) => !isTouched(one)), ...later];
    const own = reseals ? await resealed(rows) : copyOf(seals);
    const { day, kinds } = await firstFinding(rows, own, lastDayOf(`"${target}","${edit}"`));
    return `"${target}","${edit}",${kinds.length > 0 ? `"${day}","${kinds.join(' ')}"` : UNFOUND}`;
  } finally {
    for (const after of later) await write(year.memory, after, undefined);
    for (const row of touched) await write(year.memory, undefined, row);
  }
}

/** A sample ends on the day on which the edit must be found. */
function lastDayOf(edit: string): number {
  const line = readFileSync(FILE, 'utf8')
    .split('\n')
    .find((one) => one.startsWith(edit));
  return isComplete ? DAYS : Number(line?.slice(edit.length).match(/\d+/)?.[0] ?? DAYS);
}

/** As if a person had computed the seals of these rows, with the old times. */
async function resealed(rows: readonly StoredRow[]): Promise<MemorySeals> {
  const own = new MemorySeals();
  begin(own);
  for (let day = 0; day <= 2; day += 1) await runDay(rows, day, own);
  for (const [key, { recomputed, differing }] of seals.heads)
    own.heads.set(key, { ...(own.heads.get(key) ?? newHead('')), recomputed, differing });
  return own;
}

async function firstFinding(rows: readonly StoredRow[], own: MemorySeals, lastDay: number) {
  const kindsOf = (found: readonly Difference[]) => [...new Set(found.map(({ kind }) => kind))].sort();
  // A part of the daily run, and much faster.
  const kinds = kindsOf(await controlAlone());
  if (kinds.length > 0) return { day: 1, kinds };
  for (let day = 1; day <= lastDay; day += 1) {
    const found = kindsOf(await runDay(rows, 2 + day, own));
    if (found.length > 0) return { day, kinds: found };
  }
  return { day: lastDay, kinds: [] };
}

async function controlAlone(): Promise<readonly Difference[]> {
  const money = moneySource(year.memory.client, NAMES, year.deps.settings);
  const options = { credits: [], shards: 1, createdAt: CREATED_AT, nowMs: nowMs(3), isWhole: false };
  const found = await Promise.all(wallets().map((wallet) => money.checkMoney(wallet, options)));
  return [...found.flat(), ...(await money.checkShared(wallets(), options))];
}

function copyOf({ heads, days, run }: MemorySeals): MemorySeals {
  const copy = new MemorySeals();
  for (const [key, head] of heads) copy.heads.set(key, head);
  for (const [key, day] of days) copy.days.set(key, day);
  copy.run = run;
  return copy;
}
