import type { MoneySettings } from '../../shared/payments/settings.ts';

/** Money settings of an invented seller. */
export const MONEY_SETTINGS: MoneySettings = {
  seller: {
    name: 'Example Identity Ltd',
    address: ['1 Example Street', 'Lagos'],
    taxNumber: '12345678-0001',
    email: 'accounts@example.com',
  },
  vat: [{ from: '2020-02-01', basisPoints: 750 }],
  documentPrefix: 'IDV',
  leastCredits: 100,
  mostCredits: 1_000_000,
  paystackUrl: 'https://api.paystack.co',
};

export const MONEY = { money: MONEY_SETTINGS };
