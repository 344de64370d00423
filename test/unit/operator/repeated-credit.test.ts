import { expect, test } from '@jest/globals';
import { NO_RECORD } from '../../../shared/audit/recorder.ts';
import type { ActionContext } from '../../../shared/operators/action.ts';
import { makeChange } from '../../../shared/operators/make-change.ts';
import type { OrderOf } from '../../../shared/operators/operations/approved-order.ts';
import { paidWallet } from '../payments/paid-wallet.ts';

/** Tests that a reference is not taken for another credit than the one that was booked under it. */

type CreditChange = Partial<OrderOf<'credit'>>;

test.each<[string, CreditChange]>([
  ['reason', { reason: 'Other' }],
  ['effective time', { effectiveAt: '2026-11-02T00:00:00.000Z' }],
  ['expiry', { expiresAt: '2027-02-01T00:00:00.000Z' }],
  ['expiry', { expiresAt: undefined }],
  ['reason and expiry', { reason: 'Other', expiresAt: undefined }],
])('a repeated reference with another %s is rejected: %j', async (difference, change) => {
  const { wallet, memory, deps } = await paidWallet();
  const tables = { wallets: 'Wallets', payments: 'Payments', apiKeys: 'ApiKeys' };
  const place = { deployment: { client: memory.client, tables }, recorder: NO_RECORD, clock: deps.clock };
  const order: OrderOf<'credit'> = {
    work: 'credit',
    kind: 'TOP_UP',
    amount: 10,
    reference: 'FREE-1',
    reason: 'Trial',
    effectiveAt: '2026-11-01T00:00:00.000Z',
    expiresAt: '2027-01-01T00:00:00.000Z',
  };
  const book = (changed: CreditChange = {}) =>
    makeChange({ ...order, ...changed }, wallet, place as unknown as ActionContext, 'ada');
  expect(await book()).toMatchObject({ existed: false });
  expect(await book()).toMatchObject({ existed: true });
  expect(await book({ effectiveAt: undefined })).toMatchObject({ existed: true });
  await expect(book(change)).rejects.toThrow(
    `The reference FREE-1 is already used for a credit with another ${difference}. Nothing was changed. Use another reference only for another credit.`,
  );
});
