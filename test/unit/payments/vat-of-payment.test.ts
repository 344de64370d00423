import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { refundOf, valueInMonth } from '../../../shared/payments/lots/lot-value.ts';
import { amountsIn, priceOf } from '../../../shared/payments/naira.ts';
import { creditTransfer, priceTransfer } from '../../../shared/payments/orders/credit-transfer.ts';
import { newOrder, openTopUp } from '../../../shared/payments/orders/open-top-up.ts';
import { settleTopUp } from '../../../shared/payments/orders/settle-top-up.ts';
import { sweepTopUps } from '../../../shared/payments/orders/sweep-top-ups.ts';
import { topUpView } from '../../../shared/payments/routes/top-up-view.ts';
import { inventedLot } from './invented-lots.ts';
import {
  fakeProvider,
  memoryClient,
  memoryClock,
  SETTINGS,
  setUp,
  topUpDependencies,
  WALLET,
} from './memory-payments.ts';

/** The rate of VAT becomes 10% at midnight in Lagos, an hour before midnight in UTC. */
const OPENED = '2026-11-30T20:00:00.000Z';
const BEFORE = '2026-11-30T22:59:59.999Z';
const CHANGE = '2026-11-30T23:00:00.000Z';
const VAT = [...SETTINGS.vat, { from: '2026-12-01', basisPoints: 1_000 }];
const AT_OLD_RATE = { vatBasisPoints: 750, ...priceOf(100, 5_000, 750), koboPerCredit: 5_000 };
/** 1,000/11,000 of 537,500 kobo is 48,863.6 kobo. */
const AT_NEW_RATE = {
  vatBasisPoints: 1_000,
  netKobo: 488_636,
  vatKobo: 48_864,
  totalKobo: 537_500,
  koboPerCredit: 4_886,
};

async function shop(startIso = OPENED) {
  const provider = fakeProvider();
  const { time, clock } = memoryClock(startIso);
  const tables = topUpDependencies(memoryClient().client, provider, clock);
  const deps = { ...tables, settings: { ...SETTINGS, vat: VAT } };
  await setUp(deps);
  const setPrice = async (koboPerCredit: number) => {
    const createdAt = new Date(clock.nowMs()).toISOString();
    await deps.prices.addPrice(undefined, {
      koboPerCredit,
      from: createdAt,
      actor: 'ada',
      reason: '',
      createdAt,
    });
  };
  return { provider, time, deps, setPrice };
}

async function openAtPaystack({ deps }: Awaited<ReturnType<typeof shop>>) {
  const request = { wallet: WALLET, credits: 100, openedBy: 'server', callbackUrl: 'https://api.example' };
  const opened = await openTopUp(request, 'TOPUP-01KAQB7X5V0G4T2N9R8C6M3WZE', deps);
  if (opened.kind !== 'opened') throw new Error(opened.kind);
  return opened.order;
}

describe('an order that was opened before a change of the rate', () => {
  test.each([
    ['before it', BEFORE, AT_OLD_RATE],
    ['after it', CHANGE, AT_NEW_RATE],
  ])('has the VAT of its payment if it is paid %s, and keeps its credits', async (_, paidAt, amounts) => {
    const all = await shop();
    const { reference, totalKobo } = await openAtPaystack(all);
    all.time.nowMs += DAY_MS;
    all.provider.payments.set(reference, {
      ...{ status: 'success', reference, amountKobo: totalKobo, currency: 'NGN' },
      ...{ paidAt, channel: 'card', providerReference: '4099260516' },
    });
    const order = await settleTopUp('live', reference, all.deps);
    expect(order).toMatchObject({ state: 'CREDITED', credits: 100, ...amounts });
    const { koboPerCredit, vatBasisPoints, ...sums } = amounts;
    const [lot] = await all.deps.lots.listLots(WALLET);
    const { netKobo, vatKobo } = sums;
    expect(lot).toMatchObject({ credits: 100, netKobo, vatKobo, vatBasisPoints, koboPerCredit });
    const documents = await all.deps.documents.listDocuments(WALLET);
    expect(documents).toHaveLength(2);
    for (const document of documents)
      expect(document).toMatchObject({ ...sums, lines: [{ quantity: 100, vatBasisPoints, ...sums }] });
  });

  test('shows the customer the VAT that a payment would have now, before they pay', async () => {
    const all = await shop();
    const order = await openAtPaystack(all);
    const show = () => topUpView(order, all.deps).data;
    expect(show()).toMatchObject({ state: 'OPENED', vat_kobo: 37_500, total_kobo: 537_500 });
    all.time.nowMs = Date.parse(CHANGE);
    const { netKobo: net_kobo, vatKobo: vat_kobo, totalKobo: total_kobo } = AT_NEW_RATE;
    expect(show()).toMatchObject({ state: 'OPENED', credits: 100, net_kobo, vat_kobo, total_kobo });
  });
});

describe('a bank transfer', () => {
  const transfer = { wallet: WALLET, credits: 100, reference: 'TOPUP-B', reason: '' };

  async function withOrder() {
    const all = await shop();
    const price = { credits: 100, ...AT_OLD_RATE };
    const request = { wallet: WALLET, credits: 100, openedBy: 'ada' };
    const opened = newOrder(request, price, { reference: 'TOPUP-B', method: 'TRANSFER' }, all.time.nowMs);
    await all.deps.orders.insertOrder({ ...opened, dueAt: opened.expiresAt });
    return all;
  }

  test('that arrives while its order is valid keeps the total, with the VAT of that day', async () => {
    const all = await withOrder();
    all.time.nowMs += 40 * DAY_MS;
    await all.setPrice(6_000);
    const before = await priceTransfer({ ...transfer, paidAt: BEFORE }, all.deps);
    expect(before).toMatchObject({ isQuotedAgain: false, order: AT_OLD_RATE });
    const { order } = await creditTransfer({ ...transfer, paidAt: CHANGE }, all.deps);
    expect(order).toMatchObject({ state: 'CREDITED', ...AT_NEW_RATE, payment: { amountKobo: 537_500 } });
  });

  test('that arrives after its order expired is quoted again', async () => {
    const all = await withOrder();
    await all.setPrice(6_000);
    all.time.nowMs += DAY_MS;
    const price = { vatBasisPoints: 1_000, ...priceOf(100, 6_000, 1_000), koboPerCredit: 6_000 };
    expect(await priceTransfer(transfer, all.deps)).toMatchObject({ isQuotedAgain: true, order: price });
    const { order } = await creditTransfer(transfer, all.deps);
    expect(order).toMatchObject({ state: 'CREDITED', ...price, payment: { amountKobo: 660_000 } });
    expect(await priceTransfer(transfer, all.deps)).toMatchObject({ isQuotedAgain: false, order: price });
  });

  test('without an order has the VAT of the day on which it arrived', async () => {
    const all = await shop(CHANGE);
    const own = { ...transfer, reference: 'BANK-1' };
    const paid = await creditTransfer({ ...own, paidAt: BEFORE }, all.deps);
    expect(paid.order).toMatchObject(AT_OLD_RATE);
    const later = await creditTransfer({ ...own, reference: 'BANK-2' }, all.deps);
    expect(later.order).toMatchObject({ vatBasisPoints: 1_000, totalKobo: 550_000 });
  });

  test.each([
    ['of an order', withOrder, 'TOPUP-B'],
    ['without an order', shop, 'BANK-1'],
  ])(
    'that is booked while the rate changes has the VAT that its payment states, %s',
    async (_, open, reference) => {
      const all = await open();
      const own = { ...transfer, reference };
      // The first reading of the clock is the last millisecond of the old rate.
      all.time.nowMs = Date.parse(BEFORE) - 1;
      const checked: number[] = [];
      const { order } = await creditTransfer(own, all.deps, async ({ totalKobo }) => {
        checked.push(totalKobo);
      });
      expect(order).toMatchObject({ ...AT_OLD_RATE, payment: { paidAt: BEFORE } });
      expect(checked).toEqual([order.totalKobo]);
    },
  );

  test('makes its order EXPIRED if it does not arrive in time, but not before', async () => {
    const all = await withOrder();
    const stateNow = async () => {
      await sweepTopUps(all.deps, (error) => {
        throw error;
      });
      return (await all.deps.orders.getOrder('live', 'TOPUP-B'))?.state;
    };
    all.time.nowMs += DAY_MS - 60_000;
    expect(await stateNow()).toBe('OPENED');
    all.time.nowMs += 60_000;
    expect(await stateNow()).toBe('EXPIRED');
  });
});

describe('a lot whose net is not a multiple of its credits', () => {
  const purchases = fc.record({
    credits: fc.integer({ min: 1, max: 500 }),
    totalKobo: fc.integer({ min: 1, max: 1_000_000 }),
    vatBasisPoints: fc.integer({ min: 0, max: 2_000 }),
  });
  const months = fc.array(fc.record({ consumed: fc.nat(9), refunded: fc.nat(9), expired: fc.nat(9) }));

  test('has months and credit notes that add up to it, and a month without a charge earns nothing', () => {
    fc.assert(
      fc.property(purchases, months, ({ credits, totalKobo, vatBasisPoints }, uses) => {
        const amounts = amountsIn(totalKobo, vatBasisPoints);
        expect(amounts.netKobo + amounts.vatKobo).toBe(totalKobo);
        expect(
          Math.abs(amounts.vatKobo - (totalKobo * vatBasisPoints) / (10_000 + vatBasisPoints)),
        ).toBeLessThanOrEqual(0.5);
        let lot = inventedLot('A', '2026-01-01T12:00:00.000Z', { credits, ...amounts, vatBasisPoints });
        let [left, gone, before] = [credits, 0, 0];
        uses.forEach((wanted, index) => {
          const month = `2026-${String(index + 1).padStart(2, '0')}`;
          const take = (many: number) => {
            const taken = Math.min(many, left);
            left -= taken;
            return taken;
          };
          const use = {
            consumed: take(wanted.consumed),
            refunded: take(wanted.refunded),
            expired: take(wanted.expired),
          };
          const value = valueInMonth(lot, month, use);
          gone += value.earnedKobo + value.refundedKobo + value.expiredKobo;
          expect(gone + value.deferredKobo).toBe(amounts.netKobo);
          expect(value.refundedKobo).toBe(refundOf(lot, { before, now: use.refunded }).netKobo);
          if (use.consumed === 0) expect(value.earnedKobo).toBe(0);
          if (left === 0) expect(value.deferredKobo).toBe(0);
          before += use.refunded;
          const withdrawals = [
            { kind: 'refunded', credits: use.refunded, month, reference: '' },
            { kind: 'expired', credits: use.expired, month, reference: '' },
          ] as const;
          lot = {
            ...lot,
            consumed: { ...lot.consumed, [month]: use.consumed },
            withdrawals: [...lot.withdrawals, ...withdrawals],
          };
        });
      }),
    );
  });

  test('has credit notes whose VAT adds up to that of its invoice', () => {
    const amounts = amountsIn(10_001, 750);
    const lot = inventedLot('A', 1, { credits: 3, ...amounts, vatBasisPoints: 750 });
    const notes = [0, 1, 2].map((before) => refundOf(lot, { before, now: 1 }));
    const sum = (of: 'netKobo' | 'vatKobo' | 'totalKobo') => notes.reduce((all, note) => all + note[of], 0);
    expect([sum('netKobo'), sum('vatKobo'), sum('totalKobo')]).toEqual([9_303, 698, 10_001]);
  });
});
