import { describe, expect, test } from '@jest/globals';
import { newOrganisation } from '../../../shared/accounts/organisation.ts';
import { memberActor } from '../../../shared/members/member-actor.ts';
import type { Profile } from '../../../shared/members/rows.ts';
import { invoiceView, topUpView } from '../../../shared/payments/console/payment-views.ts';
import { type WalletRows, walletView } from '../../../shared/payments/console/wallet-view.ts';
import { INVOICE, STATEMENT } from '../../documents/samples.ts';
import { inventedOrder } from '../payments/invented-orders.ts';

/** The documents in the list of the wallet page. */

test('a statement shows the month that it covers, and other documents show the month in which they were issued', () => {
  const closedLater = { ...STATEMENT, month: '2026-12' };
  expect(invoiceView(closedLater)).toMatchObject({ kind: 'statement', month: STATEMENT.statement?.month });
  expect(invoiceView(INVOICE)).toMatchObject({ kind: 'invoice', month: INVOICE.month });
});

test.each([
  [memberActor('ngozi'), true],
  ['till', false],
  ['automatic top-up', false],
])('a top-up opened by %j may have a card that can be saved: %s', (openedBy, isByMember) => {
  expect(topUpView(inventedOrder({ openedBy })).is_by_member).toBe(isByMember);
});

describe('the billing details of a first top-up', () => {
  const contact = { name: 'Chidi', email: 'chidi@kainji.example' };
  const profile: Profile = {
    ...{ companyNumber: 'RC1234567', taxNumber: '12345678-0001', address: ['2 Marina'], version: 1 },
    ...{ billingContact: contact, privacyContact: contact },
  };
  const suggested = (rows: Partial<WalletRows>) => {
    const none = { lots: [], orders: [], documents: [], days: [], prices: { stage: [], organisation: [] } };
    const organisation = newOrganisation('Kainji Pay', new Date(0));
    const settings = { money: undefined, lowBalanceCredits: 5 };
    const balance = { available: 0, held: 0, credited: 0 };
    const all = { ...none, billing: undefined, profile: undefined, automatic: undefined, ...rows };
    return walletView('live', organisation, balance, all, settings, Date.now()).suggested_billing;
  };

  test('are those of the profile, until they are entered', () => {
    const details = { address: ['2 Marina'], tax_number: '12345678-0001', email: contact.email };
    expect(suggested({ profile })).toEqual({ name: 'Kainji Pay', ...details });
    const entered = { name: 'K', address: ['x'], taxNumber: 't', email: 'e', changedAt: '', changedBy: '' };
    expect([suggested({}), suggested({ profile, billing: entered })]).toEqual([null, null]);
  });
});
