import { describe, expect, test } from '@jest/globals';
import type { ReversalBooking, TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { resolveReversal } from '../../../shared/payments/orders/resolve-reversal.ts';
import { reviewPayments } from '../../../shared/payments/orders/review-payments.ts';
import { reviewTable } from '../../../shared/payments/orders/review-table.ts';
import { refundCredits } from '../../../shared/payments/refunds/refund-credits.ts';
import { orderRow } from '../../../shared/payments/reports/export-rows.ts';
import { reversalsReport } from '../../../shared/payments/reports/reversals.ts';
import { type PaidWallet, paidWallet } from './paid-wallet.ts';

const PROBLEM = 'The payment was reversed after its credits were added.';

/** Returns a wallet with an order of 100 credits, of which 60 are spent, and whose payment was then reversed. */
async function reversedWallet() {
  const paid = await paidWallet();
  const order = await paid.buy(100);
  await paid.charge(60);
  const reversedAt = new Date(paid.time.nowMs).toISOString();
  await paid.deps.orders.moveOrder(order, { ...order, problem: PROBLEM, reversedAt });
  return { ...paid, order: await stored(paid, order) };
}

async function stored({ deps, wallet }: PaidWallet, { reference }: TopUpOrder): Promise<TopUpOrder> {
  const order = await deps.orders.getOrder(wallet.env, reference);
  if (!order) throw new Error('The order is missing.');
  return order;
}

function takeBack({ deps, wallet }: PaidWallet, { invoice = '' }: TopUpOrder, credits: number) {
  const request = { wallet, invoice, credits, reference: `R${credits}`, isPaidBack: true };
  return refundCredits({ ...request, reason: 'Chargeback', actor: 'ada' }, deps);
}

async function book(
  paid: PaidWallet,
  order: TopUpOrder,
  { as = 'loss', totalKobo = 274_125 }: { as?: ReversalBooking; totalKobo?: number } = {},
) {
  const request = { as, totalKobo, reason: 'the customer is gone', actor: 'ada' };
  return resolveReversal(await stored(paid, order), request, paid.deps);
}

const review = ({ deps, memory }: PaidWallet) =>
  reviewPayments({ ...deps, review: reviewTable(memory.client, 'Payments') });

/** Returns the amounts of the report for a month, in kobo: taken back, loss, receivable and open. */
async function amountsIn({ deps, wallet }: PaidWallet, month: string) {
  const [orders, lots] = await Promise.all([deps.orders.listOrders(wallet), deps.lots.listLots(wallet)]);
  const one = {
    wallet,
    name: 'Kainji Pay',
    month,
    closing: undefined,
    lots,
    documents: [],
    refunds: [],
    orders,
  };
  return reversalsReport([one]).rows.map((row) => {
    const amounts = ['taken_back_kobo', 'loss_kobo', 'receivable_kobo', 'open_kobo'].map((name) => row[name]);
    expect(amounts.reduce((sum: number, kobo) => sum + Number(kobo), 0)).toBe(row['total_kobo']);
    return amounts;
  });
}

describe('a reversed payment whose credits were partly spent', () => {
  test('stays open with its rest after the other credits were taken back, until the rest is booked', async () => {
    const paid = await reversedWallet();
    const { order } = paid;
    expect(await review(paid)).toMatchObject([{ order: order.reference, openKobo: 456_875 }]);
    await takeBack(paid, order, 40);
    // 60 credits at 42.50 naira, and 7.5% VAT.
    expect(await review(paid)).toMatchObject([
      { order: order.reference, openKobo: 274_125, problem: PROBLEM },
    ]);

    const booked = await book(paid, order);
    expect(booked).toEqual(await stored(paid, order));
    expect(booked).toMatchObject({
      state: 'CREDITED',
      resolution: 'the customer is gone',
      bookedReversal: {
        as: 'loss',
        netKobo: 255_000,
        vatKobo: 19_125,
        totalKobo: 274_125,
        month: '2026-11',
        by: 'ada',
      },
    });
    expect(booked.problem).toBeUndefined();
    expect(await review(paid)).toEqual([]);
  });

  test('is exported with its open amount, and then with its booking', async () => {
    const paid = await reversedWallet();
    const whose = { organisation: '', name: '', environment: '', currency: '' };
    const exported = async () => {
      const [lot] = await paid.deps.lots.listLots(paid.wallet);
      return orderRow(whose, await stored(paid, paid.order), lot);
    };
    expect(await exported()).toMatchObject({
      reversed_at: paid.order.reversedAt,
      open_kobo: 456_875,
      booked_as: undefined,
    });
    await takeBack(paid, paid.order, 40);
    await book(paid, paid.order);
    expect(await exported()).toMatchObject({
      problem: undefined,
      resolution: 'the customer is gone',
      open_kobo: undefined,
      booked_as: 'loss',
      booked_kobo: 274_125,
      booked_month: '2026-11',
    });
  });

  test('is booked once', async () => {
    const paid = await reversedWallet();
    await takeBack(paid, paid.order, 40);
    await book(paid, paid.order, { as: 'receivable' });
    await expect(book(paid, paid.order)).rejects.toThrow('has no reversed payment that is open');
    expect((await stored(paid, paid.order)).bookedReversal?.as).toBe('receivable');
  });

  test('is not booked with an amount that nobody confirmed', async () => {
    const paid = await reversedWallet();
    await expect(book(paid, paid.order)).rejects.toThrow('The open amount has changed.');
    expect(await stored(paid, paid.order)).toEqual(paid.order);
  });

  test('is not booked while credits are taken back', async () => {
    const paid = await reversedWallet();
    let isTaken = false;
    paid.memory.before = async (command) => {
      if (isTaken || !('TransactItems' in command.input)) return;
      isTaken = true;
      await takeBack(paid, paid.order, 40);
    };
    const all = book(paid, paid.order, { totalKobo: 456_875 });
    await expect(all).rejects.toThrow('was changed at the same time');
    expect(isTaken).toBe(true);
    expect(await stored(paid, paid.order)).toMatchObject({ problem: PROBLEM });
  });

  test('is not booked into a closed month', async () => {
    const paid = await reversedWallet();
    await takeBack(paid, paid.order, 40);
    const at = '2026-11-30T23:00:00.000Z';
    const closing = {
      month: '2026-11',
      state: 'CLOSING',
      startedAt: at,
      startedBy: 'ada',
      version: 1,
    } as const;
    await paid.deps.closings.beginClosing(paid.wallet, { before: undefined, after: closing }, undefined);
    await expect(book(paid, paid.order)).rejects.toThrow('The month 2026-11 of this wallet is closed');
    expect(await stored(paid, paid.order)).toMatchObject({ problem: PROBLEM });
    paid.time.nowMs = Date.parse('2026-12-01T09:00:00.000Z');
    expect((await book(paid, paid.order)).bookedReversal?.month).toBe('2026-12');
  });

  test('is not booked before it was found, even by a clock that is 30 days behind', async () => {
    const paid = await reversedWallet();
    const { reversedAt = '' } = paid.order;
    paid.time.nowMs -= 30 * 86_400_000;
    const { bookedReversal } = await book(paid, paid.order, { totalKobo: 456_875 });
    expect(bookedReversal).toMatchObject({ at: reversedAt, month: '2026-11' });
  });

  test('has no credit note after its rest was booked', async () => {
    const paid = await reversedWallet();
    await book(paid, paid.order, { totalKobo: 456_875 });
    await expect(takeBack(paid, paid.order, 40)).rejects.toThrow('was booked as a loss');
    expect(await paid.available()).toBe(40);
  });

  test('is in the reports from the month in which it was found to the month in which nothing is open', async () => {
    const paid = await reversedWallet();
    await takeBack(paid, paid.order, 15);
    paid.time.nowMs = Date.parse('2026-12-10T09:00:00.000Z');
    await takeBack(paid, paid.order, 25);
    paid.time.nowMs = Date.parse('2027-01-10T09:00:00.000Z');
    await book(paid, paid.order, { as: 'receivable' });
    const total = 456_875;
    expect(await amountsIn(paid, '2026-10')).toEqual([]);
    expect(await amountsIn(paid, '2026-11')).toEqual([[68_531, 0, 0, total - 68_531]]);
    expect(await amountsIn(paid, '2026-12')).toEqual([[total - 274_125, 0, 0, 274_125]]);
    expect(await amountsIn(paid, '2027-01')).toEqual([[total - 274_125, 0, 274_125, 0]]);
    expect(await amountsIn(paid, '2027-02')).toEqual([]);
  });
});

test('a payment that was not reversed is not booked', async () => {
  const paid = await paidWallet();
  const order = await paid.buy(10);
  await expect(book(paid, order)).rejects.toThrow('has no reversed payment that is open');
});

test('a reversed payment whose credits were all taken back is not open', async () => {
  const paid = await paidWallet();
  const order = await paid.buy(10);
  await paid.deps.orders.moveOrder(order, {
    ...order,
    problem: PROBLEM,
    reversedAt: '2026-11-22T10:00:00.000Z',
  });
  await takeBack(paid, order, 10);
  expect(await stored(paid, order)).toMatchObject({ state: 'REFUNDED' });
  expect(await review(paid)).toEqual([]);
  expect(await amountsIn(paid, '2026-11')).toEqual([[order.totalKobo, 0, 0, 0]]);
});
