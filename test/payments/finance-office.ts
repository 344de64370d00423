import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { auditTable } from '../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../shared/audit/recorder.ts';
import type { Clock } from '../../shared/core/clock.ts';
import { sealTable } from '../../shared/ledger/reconcile/seal-table.ts';
import { statementTable } from '../../shared/ledger/statement/statement-table.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { recordedOrders } from '../../shared/operators/operations/recorded-orders.ts';
import { automaticTable } from '../../shared/payments/automatic/automatic-table.ts';
import { moneySource } from '../../shared/payments/control/money-source.ts';
import { documentTable } from '../../shared/payments/documents/document-table.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { closingTable } from '../../shared/payments/months/closing-table.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { reviewTable } from '../../shared/payments/orders/review-table.ts';
import type { PaymentProvider } from '../../shared/payments/paystack/payment-provider.ts';
import { billingTable } from '../../shared/payments/prices/billing-table.ts';
import { priceTable } from '../../shared/payments/prices/price-table.ts';
import { refundTable } from '../../shared/payments/refunds/refund-table.ts';
import type { MoneySettings } from '../../shared/payments/settings.ts';
import { PAYMENTS, WALLETS } from '../ledger/storage/journal.ts';

/** The tables and use cases of payments for one process. */

const SETTINGS: MoneySettings = {
  seller: {
    name: 'Example Identity Limited',
    address: ['1 Example Road', 'Lagos'],
    taxNumber: '12345678-0001',
    email: 'accounts@example.com',
  },
  vat: [
    { from: '2020-02-01', basisPoints: 750 },
    // At the end of the first month, while orders are open.
    { from: '2026-02-01', basisPoints: 1_000 },
  ],
  documentPrefix: 'IDV',
  leastCredits: 1,
  mostCredits: 1_000,
  paystackUrl: 'https://paystack.example',
};

export const CARD_KEYS = { current: 'simulation' };
export const CREATED_AT = '2026-01-31T00:00:00.000Z';

/**
 * Returns the use cases for one process. The rows that they write name `actor`. `shardsOf` returns an organisation's
 * shard count.
 */
export function financeOffice(
  client: DynamoDBDocumentClient,
  clock: Clock,
  provider: PaymentProvider,
  { actor, shardsOf }: { actor: string; shardsOf: (organisationId: string) => number },
) {
  const run = { actor, action: 'settle top-up', commandId: 'simulation' };
  const recorder = auditRecorder(auditTable(client, 'AuditTrail'), run, clock.nowMs);
  const walletShards = async (organisationId: string) => shardsOf(organisationId);
  const shared = {
    client,
    clock,
    settings: SETTINGS,
    money: SETTINGS,
    actor,
    publishSoon: async () => undefined,
    recorder,
    walletShards,
    credits: creditTable(client, { wallets: WALLETS, payments: PAYMENTS }, recorder),
    shards: shardTable(client, WALLETS),
    statement: statementTable(client, WALLETS),
    seals: sealTable(client, WALLETS),
    lots: lotTable(client, PAYMENTS),
    orders: orderTable(client, PAYMENTS, recorder),
    documents: documentTable(client, PAYMENTS),
    closings: closingTable(client, PAYMENTS),
    refunds: refundTable(client, PAYMENTS, recorder),
    prices: priceTable(client, PAYMENTS, recorder),
    billing: billingTable(client, PAYMENTS, recorder),
    providers: { live: provider, test: provider },
    organisations: {
      getOrganisation: async (id: string) =>
        ({ id, status: 'APPROVED', walletShards: shardsOf(id), createdAt: CREATED_AT }) as never,
    },
  };
  const names = { payments: PAYMENTS, wallets: WALLETS, auditTrail: 'AuditTrail' };
  const control = moneySource(client, names, SETTINGS);
  const operatorsOrders = recordedOrders(client, PAYMENTS, recorder);
  const automatic = automaticTable(client, PAYMENTS, recorder);
  const keys = async () => CARD_KEYS;
  const send = async () => undefined;
  const review = reviewTable(client, PAYMENTS);
  return { ...shared, control, operatorsOrders, review, automatic, keys, send };
}

export type FinanceOffice = ReturnType<typeof financeOffice>;
