import { randomInt } from 'node:crypto';
import { ulid } from 'ulid';
import type { Organisation } from '../../shared/accounts/organisation.ts';
import { setting } from '../../shared/core/config.ts';
import { documentKey } from '../../shared/core/keys.ts';
import { automaticTable } from '../../shared/payments/automatic/automatic-table.ts';
import { invoiceOf } from '../../shared/payments/documents/compose-documents.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { billingTable } from '../../shared/payments/prices/billing-table.ts';
import { priceTable } from '../../shared/payments/prices/price-table.ts';
import { BUYER, HEAD, inventedOrder } from '../unit/payments/invented-orders.ts';
import { database } from './console.ts';
import { putRow } from './console-organisation.ts';

/** Sets up an organisation of the console so that it can buy credits, and stores its purchases. */

type Id = Pick<Organisation, 'id'>;

/** Sets a price, and billing details if there are none, so that the organisation can buy credits. */
export async function letBuy({ id }: Id): Promise<void> {
  const table = setting('PAYMENTS_TABLE');
  const at = new Date(Date.now() - 60_000).toISOString();
  const price = { koboPerCredit: 10_000, from: at, actor: 'test', reason: 'Test', createdAt: at };
  await billingTable(database, table).putBilling(id, undefined, {
    ...BUYER,
    changedAt: at,
    changedBy: 'test',
  });
  await priceTable(database, table).addPrice(id, price);
}

/** Stores an unpaid order. Returns its reference. */
export async function putOrder({ id: organisationId }: Id): Promise<string> {
  const { payment: _, ...paid } = inventedOrder({
    organisationId,
    env: 'live',
    reference: `TOPUP-${ulid()}`,
  });
  const order = { ...paid, state: 'OPENED', checkoutUrl: 'https://checkout.example.com/1' } as const;
  await orderTable(database, setting('PAYMENTS_TABLE')).insertOrder(order);
  return order.reference;
}

/** Returns a random document number, which is very unlikely to be in use. */
export const documentNumber = () => `MTX-2026-${String(randomInt(1_000_000)).padStart(6, '0')}`;

/** Stores an invoice. Returns its number. */
export async function putInvoice({ id: organisationId }: Id): Promise<string> {
  const number = documentNumber();
  const wallet = { organisationId, env: 'live' } as const;
  const document = invoiceOf({ ...HEAD, number }, inventedOrder(wallet));
  await putRow('PAYMENTS_TABLE', documentKey(wallet, number), document);
  return number;
}

/** Stores a saved card, which no key opens. */
export async function saveCard({ id: organisationId }: Id): Promise<void> {
  const table = automaticTable(database, setting('PAYMENTS_TABLE'));
  const before = await table.getAutomatic(organisationId);
  const changedAt = new Date().toISOString();
  const settings = { thresholdCredits: 1, credits: 100, monthlyCapKobo: 1, sealedCard: 'sealed' };
  const row = {
    organisationId,
    state: 'STOPPED',
    ...settings,
    changedAt,
    changedBy: 'test',
    version: 1,
  } as const;
  await table.saveAutomatic(before, row);
}
