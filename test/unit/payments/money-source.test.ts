import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import type { AuditEntry } from '../../../shared/audit/audit-entry.ts';
import { recordAlone } from '../../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../../shared/audit/recorder.ts';
import { rowName } from '../../../shared/audit/row-hashes.ts';
import { DAY_MS } from '../../../shared/core/clock.ts';
import { newOperationId } from '../../../shared/core/ids.ts';
import { referenceKey } from '../../../shared/core/keys.ts';
import { checkPayments, type NumberedDocument } from '../../../shared/payments/control/check-numbers.ts';
import { moneySource } from '../../../shared/payments/control/money-source.ts';
import { expireLots } from '../../../shared/payments/lots/expire-lots.ts';
import { orderTable } from '../../../shared/payments/orders/order-table.ts';
import type { Refund } from '../../../shared/payments/refunds/refund.ts';
import { refundCredits } from '../../../shared/payments/refunds/refund-credits.ts';
import { refundTable } from '../../../shared/payments/refunds/refund-table.ts';
import { inventedOrder } from './invented-orders.ts';
import { type PaidWallet, paidWallet } from './paid-wallet.ts';

const CREATED_AT = '2026-11-22T10:00:00.000Z';

/** The invented wallet has no prices and no receipts, so only one kind is compared. */
async function found(
  { memory, wallet, time: { nowMs } }: PaidWallet,
  kind: string,
  about: string,
  of: 'expected' | 'found' = 'found',
) {
  const names = { payments: 'Payments', wallets: 'Wallets', auditTrail: 'AuditTrail' };
  const options = { credits: [], shards: 1, createdAt: CREATED_AT, nowMs, isWhole: false };
  const all = await moneySource(memory.client, names, undefined).checkMoney(wallet, options);
  return all.filter((one) => one.kind === kind && one.reference === about).map((one) => one[of]);
}

const recorderOf = ({ audit, deps }: PaidWallet, action: string, approval?: AuditEntry['approval']) =>
  auditRecorder(audit, { actor: 'ada', action, commandId: 'run', approval }, deps.clock.nowMs);

describe('the control of the money rows', () => {
  test('finds unspent credits of an expired lot that no function expires', async () => {
    const paid = await paidWallet();
    const lots = [];
    for (const reference of ['USED', 'EXPIRED', 'FORGOTTEN'])
      lots.push((await paid.give(40, reference, '2026-11-25T00:00:00.000Z')).row.lot ?? '');
    const [used = '', expired = '', forgotten = ''] = lots;
    await paid.charge(50);
    paid.time.nowMs += 3 * DAY_MS;
    await paid.deps.lots.endExpiry(paid.wallet, forgotten);
    await expireLots(paid.deps, (error) => {
      throw error;
    });
    expect(await found(paid, 'lot', used)).toEqual([]);
    expect(await found(paid, 'lot', expired)).toEqual([]);
    expect(await found(paid, 'lot', forgotten)).toEqual(['not due']);
  });

  test.each<Partial<Refund>>([{ state: 'SENT' }, { state: 'FAILED', dueAt: undefined }])(
    'finds a refund that is %j without an entry of the audit trail',
    async (change) => {
      const paid = await paidWallet();
      const order = await paid.buy(10);
      paid.time.nowMs += 2 * DAY_MS;
      const request = { wallet: paid.wallet, invoice: order.invoice ?? '', credits: 4, reference: 'R1' };
      const { refund } = await refundCredits({ ...request, reason: 'Unused', actor: 'ada' }, paid.deps);
      const recorded = refundTable(paid.memory.client, 'Payments', recorderOf(paid, 'send refund'));
      const { creditNote } = refund;
      expect(await found(paid, 'trail-money', creditNote)).toEqual([]);

      await paid.deps.refunds.moveRefund(refund, { ...refund, ...change });
      expect(await found(paid, 'trail-money', creditNote)).toEqual([change.state]);

      const reset = { ...refund, version: refund.version + 1 };
      await recorded.moveRefund(reset, { ...refund, ...change });
      expect(await found(paid, 'trail-money', creditNote)).toEqual([]);
      await paid.deps.refunds.moveRefund({ ...reset, version: reset.version + 1 }, refund);
      expect(await found(paid, 'trail-money', creditNote)).toEqual(['REQUESTED']);
    },
  );

  test('finds another reference of a refund that Paystack accepted', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(10);
    paid.time.nowMs += 2 * DAY_MS;
    const request = { wallet: paid.wallet, invoice: order.invoice ?? '', credits: 4, reference: 'R1' };
    const { refund } = await refundCredits({ ...request, reason: 'Unused', actor: 'ada' }, paid.deps);
    const recorded = refundTable(paid.memory.client, 'Payments', recorderOf(paid, 'send refund'));
    const sent = { ...refund, state: 'SENT', paidBackBy: 'RF-1' } as const;
    await recorded.moveRefund(refund, sent);
    expect(await found(paid, 'trail-money', refund.creditNote)).toEqual([]);
    const before = { ...sent, version: refund.version + 1 };
    await paid.deps.refunds.moveRefund(before, { ...before, paidBackBy: undefined });
    expect(await found(paid, 'trail-money', refund.creditNote)).toEqual(['paidBackBy none']);
  });

  test('finds a refund that is not done any more, also of the time before the hashes', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(10);
    const request = { wallet: paid.wallet, invoice: order.invoice ?? '', credits: 4, reference: 'R1' };
    const { refund } = await refundCredits({ ...request, reason: 'Unused', actor: 'ada' }, paid.deps);
    const done = { ...refund, state: 'DONE', paidBackBy: 'RF-1', doneAt: CREATED_AT } as const;
    const recorder = recorderOf(paid, 'credit-note paid-back');
    await refundTable(paid.memory.client, 'Payments', recorder).moveRefund(refund, done);
    expect(await found(paid, 'trail-money', refund.creditNote)).toEqual([]);
    await paid.deps.refunds.moveRefund({ ...done, version: refund.version + 1 }, refund);
    expect(await found(paid, 'trail-money', refund.creditNote)).toEqual(['REQUESTED']);
  });

  test('finds an order that is opened before its reference was generated, but not one of an earlier version', async () => {
    const paid = await paidWallet();
    const open = (id: string) => paid.buy(10, { reference: `TOPUP-${id}`, openedAt: CREATED_AT });
    paid.time.nowMs += DAY_MS;
    const { reference } = await open(newOperationId(paid.time.nowMs));
    const old = await open(newOperationId(paid.time.nowMs + DAY_MS));
    const opened = expect.stringContaining('opened after');
    expect(await found(paid, 'order', reference, 'expected')).toContainEqual(opened);
    expect(await found(paid, 'order', old.reference, 'expected')).not.toContainEqual(opened);
  });

  test('requires the openings of orders since the first one in the audit trail, not of earlier versions', async () => {
    const paid = await paidWallet();
    const recorded = orderTable(paid.memory.client, 'Payments', recorderOf(paid, 'top-up start'));
    const open = async (table = paid.deps.orders) => {
      paid.time.nowMs += 2 * DAY_MS;
      const openedAt = new Date(paid.time.nowMs).toISOString();
      const reference = `TOPUP-${newOperationId(paid.time.nowMs)}`;
      await table.insertOrder(inventedOrder({ ...paid.wallet, reference, openedAt, checkoutUrl: 'x' }));
      return `live order ${reference}`;
    };
    await paid.buy(10);
    const [old, first, inserted] = [await open(), await open(recorded), await open()];
    paid.time.nowMs += DAY_MS;
    expect(await found(paid, 'trail-money', old)).toEqual([]);
    expect(await found(paid, 'trail-money', first)).toEqual([]);
    expect(await found(paid, 'trail-money', inserted)).toEqual(['none', 'none']);
    // The other wallet has the same functions, but no opening of its own.
    const other = { ...paid, wallet: { ...paid.wallet, env: 'test' } } as const;
    const openedAt = new Date(paid.time.nowMs - DAY_MS / 2).toISOString();
    const order = inventedOrder({ ...other.wallet, reference: 'TOPUP-1', openedAt });
    await paid.deps.orders.insertOrder(order);
    expect(await found(other, 'trail-money', 'test order TOPUP-1')).toEqual(['none']);
  });

  test('finds a problem of an old order that was not reversed', async () => {
    const paid = await paidWallet();
    const { record } = recorderOf(paid, 'price set');
    await recordAlone(paid.memory.client, record({ target: 'price from 2026-11-22', rows: {} }));
    paid.time.nowMs += 2 * DAY_MS;
    const order = await paid.buy(10, { creditedAt: new Date(paid.time.nowMs).toISOString() });
    paid.time.nowMs += 90 * DAY_MS;
    expect(await found(paid, 'trail-money', order.reference)).toEqual([]);
    await paid.deps.orders.moveOrder(order, { ...order, problem: 'The payment was reversed.' });
    expect(await found(paid, 'trail-money', order.reference)).toEqual(['The payment was reversed.']);
  });

  test('finds a mismatch or a reversal that somebody resolved without a time', async () => {
    const paid = await paidWallet();
    const { record } = recorderOf(paid, 'price set');
    await recordAlone(paid.memory.client, record({ target: 'price from 2026-11-22', rows: {} }));
    const at = new Date(paid.time.nowMs + 2 * DAY_MS).toISOString();
    const reference = `TOPUP-${newOperationId(paid.time.nowMs)}`;
    const mismatch = inventedOrder({ ...paid.wallet, reference, state: 'MISMATCH', mismatchedAt: at });
    await paid.deps.orders.insertOrder(mismatch);
    const reversed = await paid.buy(10, { creditedAt: at, reversedAt: at });
    paid.time.nowMs += 3 * DAY_MS;
    for (const order of [mismatch, reversed]) {
      const about = `live order ${order.reference}`;
      const before = await found(paid, 'trail-money', about);
      await paid.deps.orders.moveOrder(order, { ...order, resolution: 'Returned' });
      expect(await found(paid, 'trail-money', about)).toEqual([...before, 'none']);
    }
  });

  test('finds the reference of a top-up that expires, after which another could use it', async () => {
    const paid = await paidWallet();
    const { reference } = await paid.buy(10);
    const Key = { ...referenceKey('live', `paystack:${reference}`) };
    const about = rowName(Key);
    expect(await found(paid, 'row-keys', about)).toEqual([]);
    const change = { UpdateExpression: 'SET expiresAt = :at', ExpressionAttributeValues: { ':at': 2e9 } };
    await paid.memory.client.send(new UpdateCommand({ TableName: 'Wallets', Key, ...change }));
    expect(await found(paid, 'row-keys', about)).toEqual(['expiring']);
  });

  const asked = { id: '1', action: 'wallet top-up' };
  test.each<[string, Pick<AuditEntry, 'action' | 'approval'>, string[]]>([
    ['of an unknown action', { action: 'wallet credit' }, ['wallet credit']],
    [
      'that its author approved',
      { action: 'approve', approval: { ...asked, requestedBy: 'Ada' } },
      ['approve'],
    ],
    ['that was approved without a request', { action: 'approve' }, ['approve']],
    ['that another person requested', { action: 'approve', approval: { ...asked, requestedBy: 'bola' } }, []],
  ])('compares an entry about money %s', async (_, by, expected) => {
    const paid = await paidWallet();
    await paid.buy(10);
    paid.time.nowMs += 2 * DAY_MS;
    const { record } = recorderOf(paid, by.action, by.approval);
    const entry = { organisationId: paid.wallet.organisationId, target: 'live credit A', rows: {} };
    await recordAlone(paid.memory.client, record(entry));
    paid.time.nowMs += DAY_MS;
    expect(await found(paid, 'trail-money', entry.target)).toEqual(expected);
  });

  test('finds transfers and their refunds in states that only Paystack brings about', async () => {
    const paid = await paidWallet();
    const order = await paid.buy(10, { method: 'TRANSFER' });
    const request = { wallet: paid.wallet, invoice: order.invoice ?? '', credits: 4, reference: 'R1' };
    const { refund } = await refundCredits({ ...request, reason: 'Unused', actor: 'ada' }, paid.deps);
    const stored = (await paid.deps.orders.getOrder('live', order.reference)) ?? order;
    const { orders, refunds } = paid.deps;
    const all = async () => [
      ...(await found(paid, 'order', order.reference, 'expected')),
      ...(await found(paid, 'refund', refund.creditNote, 'expected')),
    ];
    const unexpected = ['a transfer, which a person credits', 'a refund that a person pays'];
    expect(await all()).not.toEqual(expect.arrayContaining(unexpected));
    await orders.moveOrder(stored, { ...stored, state: 'PAID' });
    await refunds.moveRefund(refund, { ...refund, state: 'SENT' });
    expect(await all()).toEqual(expect.arrayContaining(unexpected));
  });

  test('finds a payment that two organisations were credited for', () => {
    const receipt = (organisationId: string, order: string, providerReference: string): NumberedDocument => ({
      ...{
        number: 'IDVR-2026-000001',
        kind: 'RECEIPT',
        env: 'live',
        issuedAt: CREATED_AT,
        method: 'PAYSTACK',
      },
      ...{ wallet: { env: 'live', organisationId }, order },
      payment: { amountKobo: 1, currency: 'NGN', paidAt: CREATED_AT, channel: 'card', providerReference },
    });
    const [first, other] = [receipt('a', 'TOPUP-A', '1'), receipt('b', 'TOPUP-B', '2')];
    expect(checkPayments([first, other])).toEqual([]);
    expect(checkPayments([first, other, receipt('b', 'TOPUP-C', '1')])).toMatchObject([
      { kind: 'order', organisation: 'b', reference: 'TOPUP-C', found: 'the payment of TOPUP-A' },
    ]);
  });
});
