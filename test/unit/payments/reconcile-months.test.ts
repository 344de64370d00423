import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { closingKey, lotKey, type WalletId } from '../../../shared/core/keys.ts';
import type { Difference } from '../../../shared/ledger/reconcile/rows.ts';
import { chargedRow } from '../../../shared/ledger/rows/charge.ts';
import type { Credit } from '../../../shared/ledger/rows/credit.ts';
import { statementKeys } from '../../../shared/ledger/statement/statement.ts';
import { storedUse } from '../../../shared/payments/lots/consume-lots.ts';
import { closedMonthSource } from '../../../shared/payments/months/recompute-months.ts';
import { reopenMonth } from '../../../shared/payments/months/reopen-month.ts';
import { type Item, reconcileExport } from '../../reconcile/exported-tables.ts';
import { closeMonth } from '../../support/payments/close-month.ts';
import { MonthWorld } from './month-world.ts';

/** Tests that the reconciliation of closed months finds changes that were made by hand after the closing. */

let world: MonthWorld;
let wallet: WalletId;
let first: Credit;

beforeEach(async () => {
  world = new MonthWorld('2026-10-02T10:00:00.000Z');
  wallet = await world.organisation('aaaaaaaaaa');
  first = await world.buy(wallet, 10);
  await world.at('2026-10-10T10:00:00.000Z').verify(wallet, 3);
  await close('2026-10', '2026-11-01T10:00:00.000Z');
  await world.buy(wallet, 4);
  await world.at('2026-11-20T10:00:00.000Z').verify(wallet, 2);
  await close('2026-11', '2026-12-01T10:00:00.000Z');
});

async function close(month: string, time: string): Promise<void> {
  await closeMonth({ scope: await world.at(time).scope(wallet), month, actor: 'ada' }, world.deps);
}

/** Returns the differences in closed months. Others are expected, because these wallets have no log rows. */
async function differences(): Promise<readonly Difference[]> {
  const rows = new Map<string, Item>();
  for (const { tableName, pk, sk, row } of world.memory.writes)
    if (row) rows.set(`${tableName} ${pk} ${sk}`, row);
  const of = (name: string) => [...rows].filter(([key]) => key.startsWith(`${name} `)).map(([, row]) => row);
  const tables = { apiKeys: of('ApiKeys'), wallets: of('Wallets'), logs: [] };
  const closedMonths = closedMonthSource(world.deps.closings, world.deps);
  const found = await reconcileExport(tables, world.nowMs, () => ({ closedMonths }));
  return found.differences.filter(({ kind }) =>
    ['late-credit', 'late-charge', 'closed-month'].includes(kind),
  );
}

/** Writes a credit row by hand, without the condition on the month and without a lot. */
async function plant(createdAt: string, amount: number): Promise<void> {
  const row = {
    reference: 'BY-HAND',
    kind: 'TOP_UP',
    amount,
    shard: 0,
    actor: 'eve',
    reason: '',
    createdAt,
  } as const;
  const keys = { pk: `live#aaaaaaaaaa#${row.reference}`, sk: 'CREDIT' };
  const Item = { ...keys, ...row, ...statementKeys(wallet, 0, createdAt, row.reference) };
  await world.memory.client.send(new PutCommand({ TableName: 'Wallets', Item }));
}

describe('the reconciliation of closed months', () => {
  test('finds nothing if the rows agree', async () => {
    expect(await differences()).toEqual([]);
  });

  test.each(['2026-10-20T10:00:00.000Z', '2026-11-25T10:00:00.000Z'])(
    'reports a credit that was written by hand into a closed month at %s',
    async (time) => {
      await plant(time, 7);
      expect(await differences()).toMatchObject([
        {
          kind: 'late-credit',
          organisation: 'aaaaaaaaaa',
          env: 'live',
          reference: 'BY-HAND',
          found: `a credit of ${time.slice(0, 7)}`,
        },
      ]);
    },
  );

  test('ignores a credit of the open month', async () => {
    await plant('2026-12-01T09:00:00.000Z', 7);
    expect(await differences()).toEqual([]);
  });

  test('finds a charge of a closed month that the closing did not count', async () => {
    const operation = await world.at('2026-11-20T11:00:00.000Z').verify(wallet, 1, 'nin-basic');
    expect(await differences()).toMatchObject([
      {
        kind: 'closed-month',
        day: '2026-11-01',
        expected: expect.stringContaining('charged 2'),
        found: expect.stringContaining('charged 3'),
      },
    ]);
    expect(operation.cost).toBe(1);
  });

  test('reports a request that was charged after its month was closed', async () => {
    const operation = await world.at('2026-11-30T22:59:50.000Z').verify(wallet, 1, 'nin-basic', false);
    const facts = { outcome: 'FOUND', httpStatus: 200, provider: '', latencyMs: 0 } as const;
    const decidedMs = Date.parse('2026-12-01T11:00:00.000Z');
    const row = chargedRow(operation, facts, { shard: 0, holdId: `${operation.id}.1` }, decidedMs);
    const keys = { pk: `live#aaaaaaaaaa#${operation.id}`, sk: 'CHARGE' };
    const Item = { ...keys, ...row, ...statementKeys(wallet, 0, row.decidedAt, operation.id) };
    await world.memory.client.send(new PutCommand({ TableName: 'Wallets', Item }));
    world.at('2026-12-01T12:00:00.000Z');
    expect(await differences()).toMatchObject([{ kind: 'late-charge', requestId: operation.requestId }]);
  });

  test.each([
    ['the price of a lot', 'SET koboPerCredit = :value', 1],
    ['the credits of a lot', 'SET credits = :value', 1],
    ['what an earlier month consumed', 'SET #consumed = :value', { '2026-10': 9 }],
  ])('finds a change to %s', async (_, UpdateExpression, value) => {
    const Key = lotKey(wallet, first.lot ?? '');
    const ExpressionAttributeValues = { ':value': value };
    await world.memory.client.send(
      new UpdateCommand({
        TableName: 'Payments',
        Key,
        UpdateExpression,
        ExpressionAttributeValues,
        ...(UpdateExpression.includes('#') && { ExpressionAttributeNames: { '#consumed': 'consumed' } }),
      }),
    );
    expect(await differences()).toContainEqual(
      expect.objectContaining({ kind: 'closed-month', day: '2026-11-01' }),
    );
  });

  test('finds changed figures', async () => {
    const closing = await world.deps.closings.getClosing(wallet, '2026-11');
    const value = { ...closing?.figures?.value, earnedKobo: 1 };
    const Item = { ...closingKey(wallet, '2026-11'), ...closing, figures: { ...closing?.figures, value } };
    await world.memory.client.send(new PutCommand({ TableName: 'Payments', Item }));
    expect(await differences()).toMatchObject([
      { kind: 'closed-month', expected: expect.stringContaining('earned 1 kobo') },
    ]);
  });

  test('compares the use of lots that an earlier version stored in the closing', async () => {
    const closing = await world.deps.closings.getClosing(wallet, '2026-11');
    const lots = (await world.lots.listLots(wallet)).flatMap((lot) => storedUse(lot, '2026-11') ?? []);
    const { lotsSha256: _, ...figures } = closing?.figures ?? {};
    const store = (uses: readonly object[]) => {
      const Item = { ...closingKey(wallet, '2026-11'), ...closing, figures: { ...figures, lots: uses } };
      return world.memory.client.send(new PutCommand({ TableName: 'Payments', Item }));
    };
    await store(lots);
    expect(await differences()).toEqual([]);
    await store(lots.map((use) => ({ ...use, consumed: use.consumed + 1 })));
    expect(await differences()).toMatchObject([{ kind: 'closed-month', day: '2026-11-01' }]);
  });

  test('finds another key of a charge, unless the closing is of an earlier version', async () => {
    const charge = world.memory.writes.find(({ sk, row }) => sk === 'CHARGE' && row)?.row ?? {};
    await world.memory.client.send(
      new PutCommand({ TableName: 'Wallets', Item: { ...charge, keyLabel: 'other' } }),
    );
    expect(await differences()).toMatchObject([{ kind: 'closed-month', day: '2026-10-01' }]);
    const closing = await world.deps.closings.getClosing(wallet, '2026-10');
    const { linesXor: _, ...figures } = closing?.figures ?? {};
    const Item = { ...closingKey(wallet, '2026-10'), ...closing, figures };
    await world.memory.client.send(new PutCommand({ TableName: 'Payments', Item }));
    expect(await differences()).toEqual([]);
  });

  test('does not compare a month that was reopened', async () => {
    await reopenMonth({ wallet, month: '2026-11', reason: 'a reason' }, world.deps);
    await world.at('2026-11-20T11:00:00.000Z').buy(wallet, 1);
    expect(await differences()).toEqual([]);
  });
});
