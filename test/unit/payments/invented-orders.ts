import type { DocumentHead } from '../../../shared/payments/documents/compose-documents.ts';
import { priceOf } from '../../../shared/payments/naira.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import type { Party } from '../../../shared/payments/prices/billing.ts';

/** Invented parties and orders for tests of documents and payments. */

export const SELLER: Party = {
  name: 'Invented Verification Services Limited',
  address: ['14 Example Close', 'Off Specimen Road', 'Ikeja, Lagos', 'Nigeria'],
  taxNumber: '00000000-0001',
  email: 'accounts@seller.example',
};

export const BUYER: Party = {
  name: 'Ọlámidé & Ṣadé Invented Lending Company',
  address: ['Plot 7, Ọ̀ṣun Crescent', 'Garki, Abuja', 'Nigeria'],
  taxNumber: '99999999-0002',
  email: 'finance@buyer.example',
};

export const HEAD: DocumentHead = {
  number: 'IDV-2026-000041',
  issuedAt: '2026-11-20T14:05:09.000Z',
  seller: SELLER,
  buyer: BUYER,
};

export function inventedOrder(change: Partial<TopUpOrder> = {}): TopUpOrder {
  const { credits = 5_000, koboPerCredit = 4_250, vatBasisPoints = 750 } = change;
  const amounts = priceOf(credits, koboPerCredit, vatBasisPoints);
  return {
    reference: 'TOPUP-01KAH0T6W5M3QJ0V7R2Y8ZB4XD',
    env: 'live',
    organisationId: 'kBDG57GjU9',
    method: 'PAYSTACK',
    state: 'PAID',
    credits,
    koboPerCredit,
    vatBasisPoints,
    ...amounts,
    currency: 'NGN',
    openedAt: '2026-11-20T14:03:00.000Z',
    openedBy: 'server',
    expiresAt: '2026-11-21T14:03:00.000Z',
    payment: {
      amountKobo: amounts.totalKobo,
      currency: 'NGN',
      paidAt: '2026-11-20T14:04:31.000Z',
      channel: 'card',
      providerReference: '4099260516',
    },
    version: 2,
    ...change,
  };
}
