import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { creditedTable } from '../../../shared/payments/orders/credited-table.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import { orderTable } from '../../../shared/payments/orders/order-table.ts';
import { MemoryStore } from '../../ledger/storage/memory-store.ts';

/** Tests credited orders whose event is not published yet. */

const store = new MemoryStore(() => {});
const client: DynamoDBDocumentClient = Object.assign(Object.create(DynamoDBDocumentClient.prototype), {
  send: async (command: unknown) => store.apply(command),
});
const orders = orderTable(client, 'Payments');
const credited = creditedTable(client, 'Payments');

const order = (reference: string, more: Partial<TopUpOrder> = {}): TopUpOrder => ({
  reference,
  env: 'test',
  organisationId: 'kBDG57GjU9',
  method: 'PAYSTACK',
  state: 'CREDITED',
  credits: 500,
  koboPerCredit: 5_000,
  netKobo: 2_500_000,
  vatBasisPoints: 750,
  vatKobo: 187_500,
  totalKobo: 2_687_500,
  currency: 'NGN',
  openedAt: '2026-11-25T09:00:00.000Z',
  openedBy: 'key',
  expiresAt: '2026-11-26T09:00:00.000Z',
  creditedAt: '2026-11-25T09:01:00.000Z',
  invoice: 'TEST-2026-000001',
  unpublished: true,
  version: 3,
  ...more,
});

test('only credited orders are listed, until their event is published', async () => {
  await orders.insertOrder(order('TOPUP-1'));
  await orders.insertOrder(order('TOPUP-2', { state: 'OPENED', dueAt: '2026-11-25T09:00:00.000Z' }));
  const [first, ...others] = await credited.listCredited();
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    reference: 'TOPUP-1',
    env: 'test',
    credits: 500,
    invoice: 'TEST-2026-000001',
  });
  if (first) await credited.markPublished(first);
  expect(await credited.listCredited()).toEqual([]);
  expect(await orders.getOrder('test', 'TOPUP-1')).toEqual({
    ...order('TOPUP-1', { version: 4 }),
    unpublished: undefined,
  });
  // The credited order is not due for the sweep.
  expect(await orders.listDue('2027-01-01T00:00:00.000Z')).toEqual([{ env: 'test', reference: 'TOPUP-2' }]);
});

test('an order that becomes due for another reason in the meantime stays due, and its event is published afterwards', async () => {
  const row = order('TOPUP-3');
  await orders.insertOrder(row);
  const [listed] = await credited.listCredited();
  const rechecked = { ...row, dueAt: '2026-11-25T09:05:00.000Z' };
  await orders.moveOrder(row, rechecked);
  if (listed) await credited.markPublished(listed);
  expect(await orders.listDue('2027-01-01T00:00:00.000Z')).toContainEqual({
    env: 'test',
    reference: 'TOPUP-3',
  });
  await orders.moveOrder({ ...rechecked, version: 4 }, { ...row, version: 4 });
  expect((await credited.listCredited()).map(({ reference }) => reference)).toEqual(['TOPUP-3']);
});
