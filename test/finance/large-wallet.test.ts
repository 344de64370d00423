import { PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, jest, test } from '@jest/globals';
import { NO_RECORD } from '../../shared/audit/recorder.ts';
import { dayPlus, daysBetween } from '../../shared/core/accounting-month.ts';
import { DAY_MS } from '../../shared/core/clock.ts';
import type { Row } from '../../shared/core/database.ts';
import {
  chargeKey,
  creditKey,
  sealKey,
  shardKey,
  statementIndexKey,
  type WalletId,
} from '../../shared/core/keys.ts';
import { DaySpans } from '../../shared/ledger/reconcile/day-spans.ts';
import { readWalletsRow } from '../../shared/ledger/reconcile/rows.ts';
import { emptySums, NO_SEALS } from '../../shared/ledger/reconcile/seal.ts';
import { statementKeys } from '../../shared/ledger/statement/statement.ts';
import { MONTH_PAGE_ROWS, statementTable } from '../../shared/ledger/statement/statement-table.ts';
import { expireLots } from '../../shared/payments/lots/expire-lots.ts';
import type { Lot } from '../../shared/payments/lots/lot.ts';
import { billingTable } from '../../shared/payments/prices/billing-table.ts';
import { refundCredits } from '../../shared/payments/refunds/refund-credits.ts';
import { closeMonth } from '../support/payments/close-month.ts';
import { paidWallet } from '../unit/payments/paid-wallet.ts';

/**
 * Expiry, a refund and the closing of one wallet whose month has many lots and charges, on the in-memory double of
 * DynamoDB. The charges are generated when they are read. `npm run test:long` has 1,000,000 charges and 20,000 lots,
 * and prints times, calls and memory.
 */

const isComplete = process.env['ALL_CASES'] === '1';
const LOTS = isComplete ? 20_000 : 400;
const LINES_PER_LOT = 51;
const LINES = LOTS * LINES_PER_LOT;
const CREDITS = 60;
const MONTH = '2026-10';
const FIRST_MS = Date.parse('2026-10-01T00:00:00.000Z');
const DAYS = 29;
const STEP_MS = (DAYS * DAY_MS) / LINES;
const UNSEALED_DAYS = 2;
const DUE = 50;

jest.setTimeout(600_000);

const timeOf = (line: number) => new Date(FIRST_MS + Math.floor(line * STEP_MS)).toISOString();
const idOf = (line: number) => `01K6${String(line).padStart(22, '0')}`;

/** One line in 51 is a credit: paid, or free without an expiry. */
function lineAt(wallet: WalletId, line: number): Row {
  const [at, id] = [timeOf(line), idOf(line)];
  const common = { shard: 0, ...statementKeys(wallet, 0, at, line % LINES_PER_LOT === 0 ? `LOT-${id}` : id) };
  if (line % LINES_PER_LOT === 0) {
    const credit = { reference: `LOT-${id}`, kind: 'TOP_UP', amount: CREDITS, actor: 'ada', reason: '' };
    return { ...creditKey(wallet, `LOT-${id}`), ...credit, ...common, createdAt: at, month: MONTH, lot: id };
  }
  const facts = { outcome: 'FOUND', httpStatus: 200, provider: 'sandbox', latencyMs: 1, keyLabel: 'server' };
  const request = { operationId: id, requestId: 'req_000000000000', service: 'nin-basic', holdId: `${id}.1` };
  const times = { requestedAt: at, decidedAt: at };
  return { ...chargeKey(wallet, id), ...request, ...facts, ...common, ...times, state: 'CHARGED', cost: 1 };
}

function lotAt(line: number): Lot {
  const isPaid = (line / LINES_PER_LOT) % 2 === 0;
  const netKobo = isPaid ? CREDITS * 5_000 : 0;
  return {
    ...{ id: idOf(line), reference: `LOT-${idOf(line)}`, createdAt: timeOf(line), month: MONTH },
    ...{ kind: isPaid ? 'paid' : 'promotional', credits: CREDITS, koboPerCredit: isPaid ? 5_000 : 0 },
    ...{ netKobo, vatKobo: 0, vatBasisPoints: 0, consumed: {}, withdrawals: [], remaining: CREDITS },
  };
}

async function largeWallet() {
  const paid = await paidWallet({ startAt: '2026-10-01T00:00:00.000Z' });
  const { client } = paid.memory;
  const { wallet } = paid;
  const creditLines = Array.from({ length: LOTS }, (_, index) => index * LINES_PER_LOT);
  for (const lot of creditLines.map(lotAt)) {
    const Item = { pk: `${wallet.env}#${wallet.organisationId}`, sk: `LOT#${lot.id}`, ...lot };
    await client.send(new PutCommand({ TableName: 'Payments', Item }));
  }
  const unspent = LOTS * CREDITS - (LINES - LOTS);
  await client.send(
    new UpdateCommand({
      ...{ TableName: 'Wallets', Key: shardKey(wallet, 0), ConditionExpression: 'attribute_exists(pk)' },
      UpdateExpression: 'SET available = available + :unspent, credited = credited + :all',
      ExpressionAttributeValues: { ':unspent': unspent, ':all': LOTS * CREDITS },
    }),
  );
  const counts = countReads(paid);
  const sealedUntil = dayPlus(timeOf(LINES).slice(0, 10), -UNSEALED_DAYS);
  for (const day of daysBetween('2026-10-01', sealedUntil)) await seal(paid, day);
  return { paid, wallet, counts };
}

type Paid = Awaited<ReturnType<typeof paidWallet>>;

/** As the daily reconciliation seals it. */
async function seal({ memory, wallet }: Paid, day: string): Promise<void> {
  const spans = new DaySpans();
  for (let line = firstFrom(day); line < Math.min(LINES, firstFrom(dayPlus(day, 1))); line += 1) {
    const row = readWalletsRow(lineAt(wallet, line));
    if (row?.sk === 'CHARGE' || row?.sk === 'CREDIT') spans.add(row);
  }
  const sums = { ...emptySums(), spans: spans.end() };
  const Item = { ...sealKey(wallet, day), day, ...sums, total: NO_SEALS, differences: 0, sealedAt: day };
  await memory.client.send(new PutCommand({ TableName: 'Wallets', Item }));
}

const firstFrom = (time: string) =>
  Math.max(0, Math.ceil((Date.parse(time.slice(0, 24)) - FIRST_MS) / STEP_MS));

/** Answers queries of the statement with generated lines, and then with what the test has written. */
function countReads({ memory, wallet }: Paid) {
  const counts = { calls: 0, lines: 0 };
  const { client } = memory;
  const send = client.send.bind(client) as (command: unknown) => Promise<Record<string, unknown>>;
  const generate = async (command: unknown) => {
    counts.calls += 1;
    if (!(command instanceof QueryCommand) || command.input.IndexName !== 'statement') return send(command);
    const { ExclusiveStartKey: start, Limit: limit = Number.POSITIVE_INFINITY } = command.input;
    const { ':key': key, ':first': from, ':last': to } = command.input.ExpressionAttributeValues ?? {};
    const isOctober = key === statementIndexKey(wallet, MONTH, 0);
    const first = Number(start?.['line'] ?? firstFrom(String(from)));
    const end = isOctober ? Math.min(LINES, firstFrom(String(to))) : 0;
    const items: Row[] = [];
    for (let line = first; line < end && items.length < limit; line += 1) items.push(lineAt(wallet, line));
    counts.lines += items.length;
    const next = first + items.length;
    if (next < end) return { Items: items, LastEvaluatedKey: { line: next } };
    const { ExclusiveStartKey: _, Limit: __, ...input } = command.input;
    const { Items = [] } = await send(new QueryCommand(input));
    return { Items: [...items, ...(Items as Row[])] };
  };
  Object.assign(client, { send: generate });
  return counts;
}

test(`a month of ${LINES - LOTS} charges and ${LOTS} lots is read only as far as it changed`, async () => {
  const { paid, wallet, counts } = await largeWallet();
  const { deps, time } = paid;
  const measured: string[] = [];
  const measure = async <T>(name: string, action: () => Promise<T>) => {
    Object.assign(counts, { calls: 0, lines: 0 });
    const startedMs = performance.now();
    const result = await action();
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20);
    measured.push(`${name}: ${seconds} s, ${counts.calls} calls, ${counts.lines} lines, ${megabytes} MB`);
    return result;
  };
  const statement = statementTable(paid.memory.client, 'Wallets', MONTH_PAGE_ROWS);
  const reads = { ...deps, statement };
  time.nowMs = FIRST_MS + DAYS * DAY_MS;
  const order = await paid.buy(100);
  const expiresAt = '2026-10-30T06:00:00.000Z';
  for (let index = 0; index < DUE; index += 1) await paid.give(10, `DUE-${index}`, expiresAt);
  const open = (LINES / DAYS) * UNSEALED_DAYS;

  time.nowMs = Date.parse(expiresAt);
  const expired = await measure('expiry', () => expireLots(reads, fail));
  expect(expired).toMatchObject({ expiredLots: DUE, expiredCredits: DUE * 10, failedLots: 0 });
  expect(counts.lines).toBeLessThan(open + LINES_PER_LOT);
  expect(counts.calls).toBeLessThan(20 + open / MONTH_PAGE_ROWS + 12 * DUE);

  const request = {
    wallet,
    invoice: order.invoice ?? '',
    credits: 40,
    reference: 'R',
    reason: 'x',
    actor: 'ada',
  };
  const refunded = await measure('refund', () => refundCredits(request, reads));
  expect(refunded).toMatchObject({ existed: false, refund: { credits: 40 } });
  expect(counts.lines).toBeLessThan(open + LINES_PER_LOT);
  expect(counts.calls).toBeLessThan(40 + open / MONTH_PAGE_ROWS);

  time.nowMs = Date.parse('2026-11-01T09:00:00.000Z');
  const billing = billingTable(paid.memory.client, 'Payments');
  const scope = { wallet, shards: 1, createdAt: new Date(FIRST_MS).toISOString() };
  const closing = { ...reads, billing, recorder: NO_RECORD };
  const closed = await measure('close', () => closeMonth({ scope, month: MONTH, actor: 'ada' }, closing));
  expect(closed.closing.figures?.credits).toMatchObject({ charged: LINES - LOTS });
  expect(counts.lines).toBe(LINES);
  expect(counts.calls).toBeLessThan(40 + LINES / MONTH_PAGE_ROWS + LOTS / 90);
  if (isComplete) console.log(measured.join('\n'));
});

function fail(error: unknown): never {
  throw error;
}
