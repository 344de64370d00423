import { describe, expect, test } from '@jest/globals';
import { automaticTable } from '../../../shared/payments/automatic/automatic-table.ts';
import type { FinancialDocument } from '../../../shared/payments/documents/financial-document.ts';
import { lotPositions } from '../../../shared/payments/lots/lot-positions.ts';
import { vatOf } from '../../../shared/payments/naira.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import {
  planRefund,
  type RefundRequest,
  refundCredits,
} from '../../../shared/payments/refunds/refund-credits.ts';
import { type PaidWallet, paidWallet } from './paid-wallet.ts';

const SERIES = 'IDVC-2026';

function refund(paid: PaidWallet, order: TopUpOrder, credits: number, change: Partial<RefundRequest> = {}) {
  return refundCredits(requestOf(paid, order, credits, change), paid.deps);
}

function requestOf(
  { wallet }: PaidWallet,
  { invoice = '' }: TopUpOrder,
  credits: number,
  change: Partial<RefundRequest> = {},
): RefundRequest {
  const request = { wallet, invoice, credits, reference: 'R1', reason: 'The project ended', actor: 'ada' };
  return { ...request, ...change };
}

/** Returns the rows of a refund that must agree with each other. */
async function stateOf({ deps, wallet, available }: PaidWallet, { reference }: TopUpOrder) {
  const notes = await deps.documents.listDocuments(wallet, 'CREDIT_NOTE');
  return {
    available: await available(),
    order: await deps.orders.getOrder(wallet.env, reference),
    lots: (await deps.lots.listLots(wallet)).map(({ remaining, withdrawals }) => ({
      remaining,
      withdrawals,
    })),
    notes: notes.map(({ number, totalKobo }) => ({ number, totalKobo })),
    refunds: await deps.refunds.listRefunds(wallet.env, reference),
    next: (await deps.documents.nextNumber(SERIES)).number,
  };
}

test('a refund stops automatic top-ups of the wallet, also those that are about to charge', async () => {
  const paid = await paidWallet();
  const order = await paid.buy(10);
  const { organisationId } = paid.wallet;
  const automatic = automaticTable(paid.memory.client, 'Payments');
  const saved = {
    organisationId,
    state: 'ON',
    ...{ thresholdCredits: 5, credits: 10, monthlyCapKobo: 100_000, version: 0 },
    ...{ changedAt: '2026-11-01T00:00:00.000Z', changedBy: 'member:1' },
  } as const;
  await automatic.saveAutomatic(undefined, saved);
  const before = await automatic.getAutomatic(organisationId);
  await refund(paid, order, 4);
  const after = await automatic.getAutomatic(organisationId);
  expect(after).toEqual({ ...before, version: 2, paidBackAt: expect.stringMatching(/^20/) });
  expect(await automatic.saveAutomatic(before, saved)).toBe(false);
});

describe('a refund of credits', () => {
  test('takes the credits from the wallet and the lot, and writes a credit note and a refund of the money', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(1_000);
    await paid.charge(100);
    const { creditNote, existed } = await refund(paid, order, 400);

    expect(existed).toBe(false);
    expect(creditNote).toMatchObject({
      number: 'IDVC-2026-000001',
      kind: 'CREDIT_NOTE',
      invoice: order.invoice,
      reason: 'The project ended',
      netKobo: 400 * 4_250,
      vatKobo: 127_500,
      totalKobo: 1_827_500,
    });
    const after = await stateOf(paid, order);
    expect(after).toMatchObject({
      available: 500,
      order: { state: 'CREDITED' },
      lots: [{ remaining: 600, withdrawals: [{ kind: 'refunded', credits: 400, reference: 'refund:R1' }] }],
      refunds: [
        {
          creditNote: creditNote.number,
          state: 'REQUESTED',
          totalKobo: 1_827_500,
          payment: '4099260516',
          dueAt: creditNote.issuedAt,
        },
      ],
    });
    expect(await paid.deps.credits.getCredit(paid.wallet, 'refund:R1')).toMatchObject({
      kind: 'CORRECTION',
      amount: -400,
      cause: 'refund',
      lot: order.lot,
      month: '2026-11',
    });
    expect(await paid.audit.listEntries(paid.wallet.organisationId)).toMatchObject([
      { actor: 'ada', after: { amount: -400, cause: 'refund', lot: order.lot } },
      { after: { amount: 1_000 } },
    ]);
  });

  test('of all credits in several parts closes the order, and the parts add up to exactly its amounts', async () => {
    const paid = await paidWallet();
    // The VAT of one credit is 0.525 kobo.
    const order = await paid.buy(1_000, { koboPerCredit: 7 });
    const parts = [1, 1, 1, 333, 664];
    const notes: FinancialDocument[] = [];
    for (const [index, credits] of parts.entries())
      notes.push((await refund(paid, order, credits, { reference: `R${index}` })).creditNote);

    expect(notes.map(({ number }) => number)).toEqual(parts.map((_, index) => `${SERIES}-00000${index + 1}`));
    expect(notes.slice(0, 3).map(({ vatKobo }) => vatKobo)).toEqual([1, 0, 1]);
    const sum = (of: 'netKobo' | 'vatKobo' | 'totalKobo') =>
      notes.reduce((total, note) => total + note[of], 0);
    expect([sum('netKobo'), sum('vatKobo')]).toEqual([7_000, vatOf(7_000, 750)]);
    expect(sum('totalKobo')).toBe(order.totalKobo);
    expect(await stateOf(paid, order)).toMatchObject({
      available: 0,
      order: { state: 'REFUNDED' },
      lots: [{ remaining: 0 }],
    });
  });

  test('that is repeated changes nothing, even after it has emptied the wallet', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(10);
    const first = await refund(paid, order, 10);
    const before = await stateOf(paid, order);
    const again = await refund(paid, order, 10);

    expect(again).toEqual({ ...first, existed: true });
    expect(await stateOf(paid, order)).toEqual(before);
    await expect(refund(paid, order, 9)).rejects.toThrow('already used for another refund, of 10 credits.');
  });

  test('whose reference is already used for a refund of one credit is rejected with a message in the singular', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(10);
    await refund(paid, order, 1);
    await expect(refund(paid, order, 2)).rejects.toThrow('already used for another refund, of 1 credit.');
  });

  test('that are already spent is rejected', async () => {
    const paid = await paidWallet();
    const first = await paid.buy(100);
    const second = await paid.buy(100);
    await paid.charge(30);
    const before = await stateOf(paid, first);

    await expect(refund(paid, first, 71)).rejects.toThrow(
      'has fewer unspent credits (70) than were requested (71)',
    );
    expect(await stateOf(paid, first)).toEqual(before);
    // The first lot is used before the second.
    expect((await refund(paid, second, 100)).existed).toBe(false);
    expect((await refund(paid, first, 70, { reference: 'R2' })).existed).toBe(false);
    expect(await paid.available()).toBe(0);
  });

  test('that are held by requests is rejected', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(100);
    await paid.hold(1);
    await expect(refund(paid, order, 100)).rejects.toThrow('available balance is only 99');
    expect((await stateOf(paid, order)).notes).toEqual([]);
    await paid.hold(-1);
    expect((await refund(paid, order, 100)).existed).toBe(false);
  });

  test('gathers credits from all shards of the wallet', async () => {
    const paid = await paidWallet({ shards: 3 });
    const order = await paid.buy(90);
    expect((await paid.deps.shards.snapshot(paid.wallet, 3))?.map(({ available }) => available)).toEqual([
      30, 30, 30,
    ]);
    await refund(paid, order, 80);
    expect(await paid.available()).toBe(10);
  });

  test.each([
    ['an unknown invoice', 'has no invoice IDV-2026-000009', { invoice: 'IDV-2026-000009' }],
    ['no credits', 'must be a whole number above 0', { credits: 0 }],
    ['part of a credit', 'must be a whole number above 0', { credits: 0.5 }],
    ['a negative number of credits', 'must be a whole number above 0', { credits: -5 }],
  ])('is rejected for %s', async (_, message, change) => {
    const paid = await paidWallet();
    const order = await paid.buy(10);
    await expect(refund(paid, order, 1, change)).rejects.toThrow(message);
    expect(await paid.available()).toBe(10);
  });

  test('is rejected while requests of the previous month may still be charged', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(10);
    paid.time.nowMs = Date.parse('2026-11-30T23:09:59.000Z');
    await expect(refund(paid, order, 1)).rejects.toThrow('Try again after 2026-11-30T23:10:00.000Z');
    paid.time.nowMs = Date.parse('2026-11-30T23:10:00.000Z');
    await refund(paid, order, 1);
    expect(await paid.deps.lots.listLots(paid.wallet)).toMatchObject([
      { withdrawals: [{ month: '2026-12' }] },
    ]);
  });

  test('of a reversed payment takes back only the credits, if the operator confirms that the money was returned', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(10);
    await paid.deps.orders.moveOrder(order, { ...order, problem: 'The bank reversed the payment.' });
    await expect(refund(paid, order, 10)).rejects.toThrow('The bank reversed the payment. If the customer');
    await refund(paid, order, 10, { isPaidBack: true });
    const { order: after, refunds } = await stateOf(paid, order);
    expect(after).toMatchObject({ state: 'REFUNDED' });
    expect(after?.problem).toBeUndefined();
    expect(refunds).toMatchObject([{ state: 'DONE' }]);
    expect(await paid.deps.refunds.listDue('2027-01-01')).toEqual([]);
  });

  test('after some credits were spent leaves the order open to a reversal', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(100);
    await paid.charge(60);
    await refund(paid, order, 40);
    // 60 of the paid credits are spent, and the customer can still reverse the whole payment.
    expect((await stateOf(paid, order)).order).toMatchObject({ state: 'CREDITED' });
  });

  test('of a reversed payment whose other credits were spent leaves the problem open', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(100);
    await paid.charge(60);
    const problem = 'The bank reversed the payment.';
    await paid.deps.orders.moveOrder(order, { ...order, problem });
    await refund(paid, order, 15, { isPaidBack: true });
    await refund(paid, order, 25, { isPaidBack: true, reference: 'R2' });
    expect((await stateOf(paid, order)).order).toMatchObject({ state: 'CREDITED', problem });
  });

  test('whose money was returned already leaves the order open to a reversal, if other credits were spent', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(100);
    await paid.charge(60);
    await refund(paid, order, 40, { isPaidBack: true });
    expect((await stateOf(paid, order)).order).toMatchObject({ state: 'CREDITED' });
  });

  test('of a bank transfer is left to a person, not to Paystack', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(10, { method: 'TRANSFER' });
    await refund(paid, order, 10);
    expect((await stateOf(paid, order)).refunds).toMatchObject([{ state: 'REQUESTED', method: 'TRANSFER' }]);
    expect(await paid.deps.refunds.listDue('2027-01-01')).toEqual([]);
  });

  test('can be planned without changing anything', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(10);
    const before = paid.memory.writes.length;
    expect(await planRefund(requestOf(paid, order, 4), paid.deps)).toMatchObject({
      unspent: 10,
      amounts: { netKobo: 17_000, vatKobo: 1_275, totalKobo: 18_275 },
    });
    expect(paid.memory.writes).toHaveLength(before);
  });
});

describe('a refund of credits at the same time as', () => {
  test('another refund of the same lot never takes back more than is unspent', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(100);
    await paid.buy(1_000);
    await paid.charge(40);
    const both = await Promise.allSettled([
      refund(paid, order, 60),
      refund(paid, order, 60, { reference: 'R2' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await stateOf(paid, order)).toMatchObject({
      available: 1_000,
      notes: [{ number: `${SERIES}-000001` }],
      next: `${SERIES}-000002`,
    });
  });

  test('a refund of another lot gets a separate number', async () => {
    const paid = await paidWallet();
    const orders = [await paid.buy(10), await paid.buy(10), await paid.buy(10)];
    await Promise.all(orders.map((order, index) => refund(paid, order, 5, { reference: `R${index}` })));
    const notes = await paid.deps.documents.listDocuments(paid.wallet, 'CREDIT_NOTE');
    expect(notes.map(({ number }) => number).sort()).toEqual([1, 2, 3].map((n) => `${SERIES}-00000${n}`));
  });

  test('a charge never makes a wallet or lot negative', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(100);
    // The charge happens after all checks of the refund and before its transaction.
    let isCharged = false;
    paid.memory.before = async (command) => {
      if (isCharged || !('TransactItems' in command.input)) return;
      isCharged = true;
      await paid.charge(1);
    };
    await expect(refund(paid, order, 100)).rejects.toThrow('available balance is only 99');
    expect(isCharged).toBe(true);
    expect(await stateOf(paid, order)).toMatchObject({ available: 99, notes: [], refunds: [] });
    await refund(paid, order, 99);
    const positions = await lotPositions(paid.wallet, paid.deps, paid.time.nowMs);
    expect([...positions.values()]).toEqual([0]);
  });

  test('a reversal of the payment does not refund the money twice', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(100);
    let isReversed = false;
    paid.memory.before = async (command) => {
      if (isReversed || !('TransactItems' in command.input)) return;
      isReversed = true;
      await paid.deps.orders.moveOrder(order, { ...order, problem: 'The bank reversed the payment.' });
    };
    await expect(refund(paid, order, 50)).rejects.toThrow('The bank reversed the payment.');
    expect((await stateOf(paid, order)).refunds).toEqual([]);
  });
});

describe('a refund that is killed', () => {
  /** Returns the state without times, which differ between runs. */
  const figures = async (paid: PaidWallet, order: TopUpOrder) => {
    const { available, order: after, lots, notes, refunds, next } = await stateOf(paid, order);
    return { available, state: after?.state, lots, notes, refunds: refunds.map(({ state }) => state), next };
  };

  test.each(['before', 'after'] as const)(
    '%s one of its calls is completed when it is repeated',
    async (when) => {
      const clean = await paidWallet({ shards: 2 });
      const order = await clean.buy(100);
      await refund(clean, order, 60);
      const expected = await figures(clean, order);
      let kills = 0;
      for (let call = 1; ; call += 1) {
        const paid = await paidWallet({ shards: 2 });
        const bought = await paid.buy(100);
        const untouched = await figures(paid, bought);
        paid.killAt(call, when);
        const isKilled = await refund(paid, bought, 60).then(
          () => false,
          () => true,
        );
        paid.revive();
        if (!isKilled) break;
        kills += 1;
        // Either everything happened, or nothing did.
        expect([JSON.stringify(untouched), JSON.stringify(expected)]).toContain(
          JSON.stringify(await figures(paid, bought)),
        );
        await refund(paid, bought, 60);
        expect(await figures(paid, bought)).toEqual(expected);
      }
      expect(kills).toBeGreaterThan(10);
    },
  );
});
