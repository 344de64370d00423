import { describe, expect, test } from '@jest/globals';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { reviewPayments } from '../../../shared/payments/orders/review-payments.ts';
import { reviewTable } from '../../../shared/payments/orders/review-table.ts';
import { payBack } from '../../../shared/payments/refunds/pay-back.ts';
import { refundCredits } from '../../../shared/payments/refunds/refund-credits.ts';
import { inventedOrder } from './invented-orders.ts';
import { type PaidWallet, paidWallet } from './paid-wallet.ts';

const review = ({ deps, memory }: PaidWallet) =>
  reviewPayments({ ...deps, review: reviewTable(memory.client, 'Payments') });

const order = ({ wallet }: PaidWallet, change: Partial<TopUpOrder>) =>
  inventedOrder({ ...wallet, version: 1, ...change });

describe('the payments to review', () => {
  test('do not include payments that are opened, settled or refunded normally', async () => {
    const paid = await paidWallet();
    await paid.deps.orders.insertOrder(order(paid, { state: 'OPENED', dueAt: '2026-11-22T10:01:00.000Z' }));
    const bought = await paid.buy(10);
    const request = { wallet: paid.wallet, invoice: bought.invoice ?? '', credits: 4, reference: 'R1' };
    await refundCredits({ ...request, reason: 'Unused', actor: 'ada' }, paid.deps);
    expect(await review(paid)).toEqual([]);
  });

  test('include mismatches and reversed payments until someone has resolved them', async () => {
    const paid = await paidWallet();
    const mismatch = order(paid, { state: 'MISMATCH', problem: 'The payment is in USD.' });
    await paid.deps.orders.insertOrder(mismatch);
    const bought = await paid.buy(10);
    const reversed = { ...bought, problem: 'The payment was reversed after its credits were added.' };
    await paid.deps.orders.moveOrder(bought, reversed);

    const found = await review(paid);
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        {
          ...paid.wallet,
          order: mismatch.reference,
          totalKobo: mismatch.totalKobo,
          problem: 'The payment is in USD.',
          isFault: true,
        },
        expect.objectContaining({ order: bought.reference, problem: reversed.problem }),
      ]),
    );

    await paid.deps.orders.moveOrder({ ...reversed, version: bought.version + 1 }, bought);
    const { problem: _, ...rest } = mismatch;
    await paid.deps.orders.moveOrder(mismatch, { ...rest, state: 'CREDITED' });
    expect(await review(paid)).toEqual([]);
  });

  test('include orders that are not credited 10 minutes after their payment', async () => {
    const paid = await paidWallet();
    const paidAt = '2026-11-22T10:00:00.000Z';
    const payment = { ...order(paid, {}).payment, paidAt } as NonNullable<TopUpOrder['payment']>;
    await paid.deps.orders.insertOrder(order(paid, { state: 'PAID', payment, dueAt: paidAt }));
    paid.time.nowMs = Date.parse(paidAt) + 9 * 60_000;
    expect(await review(paid)).toEqual([]);
    expect(await paid.deps.orders.listDue('2026-11-22T11:00:00.000Z')).toHaveLength(1);
    paid.time.nowMs = Date.parse(paidAt) + 10 * 60_000;
    expect(await review(paid)).toMatchObject([
      { isFault: true, problem: expect.stringContaining('credits have not been added') },
    ]);
  });

  test('include refunds that a person pays by bank transfer, but not as faults', async () => {
    const paid = await paidWallet();
    const bought = await paid.buy(10, { method: 'TRANSFER' });
    const request = { wallet: paid.wallet, invoice: bought.invoice ?? '', credits: 4, reference: 'R1' };
    const { refund } = await refundCredits({ ...request, reason: 'Unused', actor: 'ada' }, paid.deps);
    expect(await review(paid)).toEqual([
      {
        ...paid.wallet,
        order: bought.reference,
        creditNote: refund.creditNote,
        totalKobo: refund.totalKobo,
        problem: 'Pay the money back by bank transfer.',
        isFault: false,
      },
    ]);
    await payBack(refund, 'FT-1', paid.deps);
    expect(await review(paid)).toEqual([]);
  });
});
