import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../../shared/audit/recorder.ts';
import type { Clock } from '../../../shared/core/clock.ts';
import { closingKey } from '../../../shared/core/keys.ts';
import { creditTable } from '../../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { seriesOf } from '../../../shared/payments/documents/document-series.ts';
import { creditWithLot } from '../../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../../shared/payments/lots/lot-table.ts';
import { openingFacts, type TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { orderTable } from '../../../shared/payments/orders/order-table.ts';
import { billingTable } from '../../../shared/payments/prices/billing-table.ts';
import { priceTable } from '../../../shared/payments/prices/price-table.ts';
import { memoryClient, WALLET } from './memory-payments.ts';

const ORDER: TopUpOrder = {
  reference: 'TOPUP-01KADA3CV5Y2M2J1Q0QW5PZ7Z4',
  ...WALLET,
  method: 'PAYSTACK',
  state: 'OPENED',
  credits: 10,
  koboPerCredit: 5_000,
  netKobo: 50_000,
  vatBasisPoints: 750,
  vatKobo: 3_750,
  totalKobo: 53_750,
  currency: 'NGN',
  openedAt: '2026-11-22T10:00:00.000Z',
  openedBy: 'server',
  expiresAt: '2026-11-23T10:00:00.000Z',
  dueAt: '2026-11-22T10:01:00.000Z',
  version: 1,
};

function tables() {
  const { client, writes } = memoryClient();
  const time = { nowMs: Date.parse('2026-11-22T10:00:00.000Z') };
  const nowMs = () => {
    time.nowMs += 1;
    return time.nowMs;
  };
  const clock: Clock = { nowMs, pause: async () => undefined, random: () => 0.5 };
  return {
    client,
    writes,
    time,
    clock,
    credits: creditTable(client, { wallets: 'Wallets', payments: 'Payments' }),
    shards: shardTable(client, 'Wallets'),
    lots: lotTable(client, 'Payments'),
    orders: orderTable(client, 'Payments'),
    prices: priceTable(client, 'Payments'),
    billing: billingTable(client, 'Payments'),
  };
}

type All = ReturnType<typeof tables>;

function credit(all: All, reference: string, amount: number, kind: 'TOP_UP' | 'CORRECTION' = 'TOP_UP') {
  const order = { reference, kind, amount, actor: 'ada', reason: 'a reason' };
  return creditWithLot(WALLET, 1, order, all, all.clock);
}

const close = ({ client }: All, month: string, state: string) =>
  client.send(
    new PutCommand({ TableName: 'Payments', Item: { ...closingKey(WALLET, month), month, state } }),
  );

describe('a credit', () => {
  test('that is positive has one lot, which is written with it', async () => {
    const all = tables();
    const { row } = await credit(all, 'A', 10);
    await credit(all, 'A', 10);
    await credit(all, 'B', 3, 'CORRECTION');
    await credit(all, 'C', -2, 'CORRECTION');

    const lots = await all.lots.listLots(WALLET);
    expect(lots).toMatchObject([
      { id: row.lot, reference: 'A', kind: 'promotional', credits: 10, remaining: 10, month: '2026-11' },
      { reference: 'B', kind: 'correction', credits: 3, koboPerCredit: 0 },
    ]);
    expect(await all.credits.getCredit(WALLET, 'A')).toMatchObject({ month: '2026-11', lot: row.lot });
    expect((await all.credits.getCredit(WALLET, 'C'))?.lot).toBeUndefined();
  });

  test.each(['CLOSING', 'CLOSED'])('cannot be booked into a month that is %s', async (state) => {
    const all = tables();
    await close(all, '2026-11', state);
    await expect(credit(all, 'A', 10)).rejects.toThrow('The month 2026-11 of this wallet is closed');
    expect(await all.credits.getCredit(WALLET, 'A')).toBeUndefined();
    expect(await all.lots.listLots(WALLET)).toEqual([]);
  });

  test('can be booked into a month that was reopened', async () => {
    const all = tables();
    await close(all, '2026-11', 'REOPENED');
    expect((await credit(all, 'A', 10)).existed).toBe(false);
  });

  test('is booked into the next month if that has begun by the next attempt', async () => {
    const all = tables();
    await close(all, '2026-11', 'CLOSING');
    all.time.nowMs = Date.parse('2026-11-30T22:59:59.997Z');
    const { row } = await credit(all, 'A', 1);
    expect(row).toMatchObject({ month: '2026-12', createdAt: expect.stringMatching(/^2026-11-30T23:00/) });
  });
});

describe('a lot', () => {
  test('can only lose credits that it still has', async () => {
    const { client, lots, ...all } = tables();
    await credit({ client, lots, ...all }, 'A', 10);
    const withdraw = async (credits: number, reference: string, read = lots.listLots(WALLET)) => {
      const [found] = await read;
      if (!found) throw new Error('There is no lot.');
      const withdrawal = { kind: 'refunded', credits, month: '2026-11', reference } as const;
      const items = [lots.withdrawItem(WALLET, found, withdrawal)];
      return client.send(new TransactWriteCommand({ TransactItems: items }));
    };
    const before = lots.listLots(WALLET);
    await withdraw(6, 'R1', before);
    await expect(withdraw(5, 'R2')).rejects.toThrow('cancelled');
    // Both withdrawals may have been checked against the same charges.
    await expect(withdraw(1, 'R2', before)).rejects.toThrow('cancelled');
    await withdraw(4, 'R3');
    expect(await lots.listLots(WALLET)).toMatchObject([
      { credits: 10, remaining: 0, withdrawals: [{ reference: 'R1' }, { reference: 'R3' }] },
    ]);
  });

  test('is due at its expiry until the expiry is handled', async () => {
    const all = tables();
    const expiresAt = '2026-11-25T00:00:00.000Z';
    const order = { reference: 'A', kind: 'TOP_UP', amount: 1, actor: 'ada', reason: '' } as const;
    const { row } = await creditWithLot(WALLET, 1, order, all, all.clock, { kind: 'promotional', expiresAt });
    const id = row.lot ?? '';

    expect(await all.lots.listDueLots('2026-11-24T23:59:59.999Z')).toEqual([]);
    expect(await all.lots.listDueLots(expiresAt)).toEqual([{ wallet: WALLET, id }]);
    expect(await all.lots.endExpiry(WALLET, id)).toBe(true);
    expect(await all.lots.listDueLots(expiresAt)).toEqual([]);
    expect(await all.lots.endExpiry(WALLET, '01KADA3CV5Y2M2J1Q0QW5PZ7Z4')).toBe(false);
  });
});

describe('an order', () => {
  test('is stored once, and changes only if the version that was read is still stored', async () => {
    const { orders } = tables();
    expect(await orders.insertOrder(ORDER)).toBe(true);
    expect(await orders.insertOrder({ ...ORDER, credits: 99 })).toBe(false);
    expect(await orders.moveOrder(ORDER, { ...ORDER, state: 'PAID' })).toBe(true);
    expect(await orders.moveOrder(ORDER, { ...ORDER, state: 'FAILED' })).toBe(false);
    expect(await orders.getOrder('live', ORDER.reference)).toEqual({ ...ORDER, state: 'PAID', version: 2 });
    expect(await orders.getOrder('test', ORDER.reference)).toBeUndefined();
  });

  test('is stored with its audit record, or not at all, and so is its checkout', async () => {
    const { client, writes, time } = tables();
    const run = { actor: 'key:0123456789ab', action: 'top-up start', commandId: 'C' };
    const recorder = auditRecorder(auditTable(client, 'AuditTrail'), run, () => time.nowMs);
    const orders = orderTable(client, 'Payments', recorder);
    const returnUrl = 'https://shop.example/paid?customer=ade#1';
    expect(await orders.insertOrder({ ...ORDER, returnUrl })).toBe(true);
    expect(await orders.insertOrder(ORDER)).toBe(false);
    const { organisationId, env, reference, openedAt, openedBy, credits, totalKobo, method } = ORDER;
    const opening = {
      openedAt,
      openedBy,
      credits,
      totalKobo,
      method,
      returnPage: 'https://shop.example/paid',
    };
    const entry = { ...run, organisationId, target: `${env} order ${reference}` };
    expect(writes.map(({ tableName }) => tableName)).toEqual(['Payments', 'AuditTrail']);
    expect(writes[1]?.row).toMatchObject({ ...entry, after: opening });
    expect(JSON.stringify(writes[1])).not.toContain('ade');
    const stated = openingFacts({ ...ORDER, returnUrl });
    expect(writes[1]?.row?.['after']).toEqual(stated);
    expect(openingFacts({ ...ORDER, returnUrl: `${returnUrl}2` })).not.toEqual(stated);
    const checkoutUrl = 'https://checkout.example/1';
    expect(await orders.moveOrder(ORDER, { ...ORDER, checkoutUrl })).toBe(true);
    expect(await orders.moveOrder(ORDER, { ...ORDER, checkoutUrl })).toBe(false);
    expect(writes.slice(2).map(({ tableName }) => tableName)).toEqual(['Payments', 'AuditTrail']);
    expect(writes[3]?.row).toMatchObject({ ...entry, after: { checkoutUrl } });
  });

  test('is due until it reaches a final state', async () => {
    const { orders } = tables();
    await orders.insertOrder(ORDER);
    const ref = { env: 'live', reference: ORDER.reference };
    expect(await orders.listDue('2026-11-22T10:00:59.999Z')).toEqual([]);
    expect(await orders.listDue('2026-11-22T10:01:00.000Z')).toEqual([ref]);
    const { dueAt: _, ...rest } = ORDER;
    await orders.moveOrder(ORDER, { ...rest, state: 'CREDITED' });
    expect(await orders.listDue('2026-11-30T00:00:00.000Z')).toEqual([]);
  });

  test('is due, however many test orders are', async () => {
    const { client, orders } = tables();
    const send = client.send.bind(client);
    client.send = ((command: { input: { IndexName?: string; Limit?: number } }) => {
      // Otherwise, the store in memory returns everything in one page.
      if (command.input.IndexName === 'due') command.input.Limit = 2_000;
      return send(command as never);
    }) as never;
    for (let count = 0; count < 10_001; count += 1)
      await orders.insertOrder({ ...ORDER, env: 'test', reference: `TOPUP-${count}` });
    const dueAt = '2026-11-22T10:02:00.000Z';
    await orders.insertOrder({ ...ORDER, dueAt });
    expect(await orders.listDue('2026-11-23T00:00:00.000Z', 1)).toEqual([
      { env: 'live', reference: ORDER.reference },
    ]);
  });

  test('is listed newest first, and only for its wallet', async () => {
    const { orders } = tables();
    const later = { ...ORDER, reference: 'TOPUP-B', openedAt: '2026-11-22T11:00:00.000Z' };
    await orders.insertOrder(ORDER);
    await orders.insertOrder(later);
    await orders.insertOrder({ ...ORDER, env: 'test' });
    expect(await orders.listOrders(WALLET)).toEqual([later, ORDER]);
    expect(await orders.listOrders(WALLET, 1)).toEqual([later]);
    expect(await orders.listDue('2026-11-23T00:00:00.000Z', 2)).toHaveLength(2);
  });
});

describe('prices and billing details:', () => {
  test('a price is never overwritten, and price lists are separate', async () => {
    const { prices } = tables();
    const price = { koboPerCredit: 5_000, actor: 'ada', reason: 'list', createdAt: '2026-11-01T00:00:00Z' };
    const first = { ...price, from: '2026-11-01T00:00:00Z' };
    const second = { ...price, from: '2026-12-01T00:00:00Z', koboPerCredit: 6_000 };
    expect(await prices.addPrice(undefined, second)).toBe(true);
    expect(await prices.addPrice(undefined, first)).toBe(true);
    expect(await prices.addPrice(undefined, { ...first, koboPerCredit: 1 })).toBe(false);
    expect(await prices.listPrices(undefined)).toEqual([first, second]);
    expect(await prices.listPrices('aaaaaaaaaa')).toEqual([]);
  });

  test('billing details change only if those that were read are still stored', async () => {
    const { billing } = tables();
    const details = {
      name: 'Kainji Pay Ltd',
      address: ['1 Marina', 'Lagos'],
      taxNumber: '12345678-0001',
      email: 'accounts@kainji.example',
      changedAt: '2026-11-22T10:00:00.000Z',
      changedBy: 'ada',
    };
    const changed = { ...details, name: 'Kainji Pay PLC', changedAt: '2026-11-22T11:00:00.000Z' };
    expect(await billing.putBilling('aaaaaaaaaa', undefined, details)).toBe(true);
    expect(await billing.putBilling('aaaaaaaaaa', undefined, changed)).toBe(false);
    expect(await billing.putBilling('aaaaaaaaaa', details, changed)).toBe(true);
    expect(await billing.putBilling('aaaaaaaaaa', details, changed)).toBe(false);
    expect(await billing.getBilling('aaaaaaaaaa')).toEqual(changed);
  });
});

test("a document's series follows the year in Lagos, and test documents have separate series", () => {
  const newYear = Date.parse('2026-12-31T23:00:00.000Z');
  expect(seriesOf('live', 'INVOICE', 'IDV', newYear - 1)).toBe('IDV-2026');
  expect(seriesOf('live', 'RECEIPT', 'IDV', newYear)).toBe('IDVR-2027');
  expect(seriesOf('test', 'CREDIT_NOTE', 'IDV', newYear)).toBe('TEST-IDVC-2027');
});
