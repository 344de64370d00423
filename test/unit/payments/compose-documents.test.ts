import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import {
  contentSha256Of,
  creditNoteOf,
  invoiceOf,
  receiptOf,
  statementOf,
} from '../../../shared/payments/documents/compose-documents.ts';
import { financialDocument } from '../../../shared/payments/documents/financial-document.ts';
import type { Lot } from '../../../shared/payments/lots/lot.ts';
import { refundOf } from '../../../shared/payments/lots/lot-value.ts';
import type { MonthFigures } from '../../../shared/payments/months/closing.ts';
import { priceOf } from '../../../shared/payments/naira.ts';
import { BUYER, HEAD, inventedOrder, SELLER } from './invented-orders.ts';

const WALLET = { env: 'live', organisationId: 'kBDG57GjU9' } as const;

const LOT: Lot = {
  id: '01KAH0T6W5M3QJ0V7R2Y8ZB4XD',
  kind: 'paid',
  credits: 100,
  koboPerCredit: 333,
  netKobo: 33_300,
  vatKobo: 2_498,
  vatBasisPoints: 750,
  reference: 'paystack:TOPUP-01KAH0T6W5M3QJ0V7R2Y8ZB4XD',
  invoice: 'IDV-2026-000041',
  createdAt: '2026-11-20T14:05:09.000Z',
  month: '2026-11',
  consumed: {},
  withdrawals: [
    { kind: 'refunded', credits: 10, month: '2026-11', reference: 'refund:IDVC-2026-000001' },
    { kind: 'expired', credits: 5, month: '2026-11', reference: 'expiry:1' },
    { kind: 'refunded', credits: 20, month: '2026-12', reference: 'refund:IDVC-2026-000002' },
  ],
  remaining: 65,
};

const FIGURES: MonthFigures = {
  credits: { opening: 7, toppedUp: 150, corrected: -15, charged: 42, closing: 100 },
  value: {
    paidKobo: 33_300,
    earnedKobo: 11_655,
    refundedKobo: 3_330,
    expiredKobo: 1_665,
    deferredKobo: 16_650,
  },
  lots: [],
  services: [{ service: 'nin-basic', requests: 42, credits: 42, earnedKobo: 11_655 }],
  lines: 44,
  linesSha256: 'a'.repeat(64),
};

describe('an invoice', () => {
  const invoice = invoiceOf(HEAD, inventedOrder());

  test('has every field that a Nigerian tax invoice needs', () => {
    expect(invoice).toMatchObject({
      kind: 'INVOICE',
      number: 'IDV-2026-000041',
      issuedAt: '2026-11-20T14:05:09.000Z',
      month: '2026-11',
      currency: 'NGN',
      seller: SELLER,
      buyer: BUYER,
      lines: [
        {
          description: 'Prepaid credits for identity verification',
          quantity: 5_000,
          unitKobo: 4_250,
          netKobo: 21_250_000,
          vatBasisPoints: 750,
          vatKobo: 1_593_750,
          totalKobo: 22_843_750,
        },
      ],
      netKobo: 21_250_000,
      vatKobo: 1_593_750,
      totalKobo: 22_843_750,
      totalInWords:
        'Two hundred and twenty-eight thousand, four hundred and thirty-seven naira, fifty kobo only',
      order: 'TOPUP-01KAH0T6W5M3QJ0V7R2Y8ZB4XD',
      method: 'PAYSTACK',
      payment: { providerReference: '4099260516', channel: 'card' },
    });
    expect(v.is(v.strictObject(financialDocument.entries), invoice)).toBe(true);
  });

  test('belongs to its month in Lagos, which ends an hour before the month in UTC', () => {
    const late = invoiceOf({ ...HEAD, issuedAt: '2026-11-30T23:00:00.000Z' }, inventedOrder());
    expect(late.month).toBe('2026-12');
    const earlier = invoiceOf({ ...HEAD, issuedAt: '2026-11-30T22:59:59.999Z' }, inventedOrder());
    expect(earlier.month).toBe('2026-11');
  });

  test('does not show who changed the billing details', () => {
    const details = { ...BUYER, changedAt: '2026-11-01T00:00:00.000Z', changedBy: 'ada' };
    expect(invoiceOf({ ...HEAD, buyer: details }, inventedOrder())).toEqual(invoice);
  });

  test('cannot be written without a payment', () => {
    const { payment: _, ...unpaid } = inventedOrder();
    expect(() => invoiceOf(HEAD, unpaid)).toThrow('without a payment');
  });
});

describe('the hash of a document', () => {
  const invoice = invoiceOf(HEAD, inventedOrder());

  test('is the same after a round trip, in any order of attributes', () => {
    const stored = Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(invoice))).reverse());
    const read = v.parse(financialDocument, stored);
    expect(contentSha256Of(read)).toBe(invoice.contentSha256);
    expect(invoice.contentSha256).toMatch(/^[0-9a-f]{64}$/);
  });

  test('covers only the attributes that a stored document keeps', () => {
    const order = inventedOrder();
    const payment = { ...order.payment, status: 'success' } as typeof order.payment;
    const written = invoiceOf(HEAD, { ...order, payment });
    const { payment: read } = v.parse(financialDocument, JSON.parse(JSON.stringify(written)));
    expect(read).toEqual(order.payment);
    expect(written).toEqual(invoice);
  });

  test('changes with every attribute', () => {
    const hashes = Object.keys(invoice)
      .filter((name) => name !== 'contentSha256')
      .map((name) => contentSha256Of({ ...invoice, [name]: 'changed' }));
    expect(new Set([invoice.contentSha256, ...hashes]).size).toBe(hashes.length + 1);
  });
});

test('a receipt names its invoice and has the same amounts', () => {
  const order = inventedOrder({ method: 'TRANSFER' });
  const receipt = receiptOf({ ...HEAD, number: 'IDVR-2026-000040' }, order, 'IDV-2026-000041');
  const invoice = invoiceOf(HEAD, order);
  expect(receipt).toMatchObject({ kind: 'RECEIPT', invoice: 'IDV-2026-000041', method: 'TRANSFER' });
  const { lines, netKobo, vatKobo, totalKobo, totalInWords, payment } = invoice;
  expect(receipt).toMatchObject({ lines, netKobo, vatKobo, totalKobo, totalInWords, payment });
});

describe('a credit note', () => {
  const invoice = invoiceOf(HEAD, inventedOrder());
  const head = { ...HEAD, number: 'IDVC-2026-000003' };
  const part = { credits: 1_000, ...priceOf(1_000, 4_250, 750), reason: 'Contract ended' };

  test('names its invoice, its reason and the payment, with positive amounts', () => {
    expect(creditNoteOf(head, invoice, part)).toMatchObject({
      kind: 'CREDIT_NOTE',
      invoice: 'IDV-2026-000041',
      reason: 'Contract ended',
      payment: invoice.payment,
      lines: [{ quantity: 1_000, unitKobo: 4_250, netKobo: 4_250_000, vatKobo: 318_750 }],
      totalKobo: 4_568_750,
    });
  });

  test('cannot exceed its invoice, or be written for any other type of document', () => {
    expect(() => creditNoteOf(head, invoice, { ...part, credits: 5_001 })).toThrow('larger than its invoice');
    expect(() => creditNoteOf(head, invoice, { ...part, totalKobo: 22_843_751 })).toThrow(
      'larger than its invoice',
    );
    const receipt = receiptOf(head, inventedOrder(), 'IDV-2026-000041');
    expect(() => creditNoteOf(head, receipt, part)).toThrow('needs an invoice');
  });

  test('has amounts that, for all parts of a purchase, add up to exactly its price', () => {
    const purchases = fc.record({
      koboPerCredit: fc.integer({ min: 1, max: 10_000 }),
      vatBasisPoints: fc.integer({ min: 0, max: 2_000 }),
    });
    const parts = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(purchases, parts, ({ koboPerCredit, vatBasisPoints }, credits) => {
        const all = credits.reduce((sum, now) => sum + now, 0);
        const price = priceOf(all, koboPerCredit, vatBasisPoints);
        const purchase = { credits: all, ...price, vatBasisPoints };
        let before = 0;
        let [net, vat, total] = [0, 0, 0];
        for (const now of credits) {
          const amounts = refundOf(purchase, { before, now });
          expect(amounts.totalKobo).toBe(amounts.netKobo + amounts.vatKobo);
          expect(amounts.vatKobo).toBeGreaterThanOrEqual(0);
          net += amounts.netKobo;
          vat += amounts.vatKobo;
          total += amounts.totalKobo;
          before += now;
        }
        expect({ netKobo: net, vatKobo: vat, totalKobo: total }).toEqual(price);
      }),
    );
  });
});

describe('a statement', () => {
  const head = { ...HEAD, number: 'IDVS-2026-000009', issuedAt: '2026-12-01T08:00:00.000Z' };
  const promotional: Lot = { ...LOT, id: '2', kind: 'promotional', credits: 50, withdrawals: [] };
  const input = { wallet: WALLET, month: '2026-11', figures: FIGURES, lots: [LOT, promotional] };
  const statement = statementOf(head, input);

  test('has the credits of the month, which add up', () => {
    expect(statement.statement).toEqual({
      month: '2026-11',
      openingCredits: 7,
      boughtCredits: 100,
      otherCredits: 35,
      usedCredits: 42,
      closingCredits: 100,
      usedKobo: 11_655,
      closingKobo: 16_650,
      services: [{ service: 'nin-basic', requests: 42, credits: 42 }],
    });
  });

  test('lists only the purchases and refunds of the month', () => {
    expect(statement.lines).toEqual([
      expect.objectContaining({
        description: 'Invoice IDV-2026-000041',
        quantity: 100,
        netKobo: 33_300,
        vatKobo: 2_498,
      }),
      expect.objectContaining({ quantity: -10, netKobo: -3_330, vatKobo: -250, totalKobo: -3_580 }),
    ]);
    expect(statement.totalKobo).toBe(33_300 + 2_498 - 3_580);
    expect(statement.month).toBe('2026-12');
  });

  test('of a later month contains only its refund, with the rest of the VAT', () => {
    const later = statementOf(head, { ...input, month: '2026-12' });
    const vat = priceOf(30, 333, 750).vatKobo - priceOf(10, 333, 750).vatKobo;
    expect(later.lines).toEqual([expect.objectContaining({ quantity: -20, vatKobo: -vat })]);
    expect(later.totalInWords).toMatch(/^Minus /);
  });

  test('of a month with thousands of purchases fits into a row of the table, with the same sums', () => {
    const lots = Array.from({ length: 5_000 }, (_, index) => ({
      ...LOT,
      id: String(index),
      koboPerCredit: index % 2 === 0 ? 333 : 400,
    }));
    const [many, few] = [lots, lots.slice(0, 500)].map((some) => statementOf(head, { ...input, lots: some }));
    expect(few?.lines).toHaveLength(1_000);
    expect(
      many?.lines.map(({ description, quantity, unitKobo }) => [description, quantity, unitKobo]),
    ).toEqual([
      ['Invoices: 2500', 250_000, 333],
      ['Refunds: 2500', -25_000, 333],
      ['Invoices: 2500', 250_000, 400],
      ['Refunds: 2500', -25_000, 400],
    ]);
    expect(many?.vatKobo).toBe(10 * (few?.vatKobo ?? 0));
    expect(many?.totalKobo).toBe(10 * (few?.totalKobo ?? 0));
    expect(JSON.stringify(few).length).toBeLessThan(300_000);
  });

  test('of a month without purchases is complete', () => {
    const empty = statementOf(head, { ...input, lots: [promotional] });
    expect(empty).toMatchObject({ lines: [], totalKobo: 0, totalInWords: 'Zero naira only' });
    expect(v.is(financialDocument, empty)).toBe(true);
  });
});
