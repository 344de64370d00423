import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { auditTable } from '../../../shared/audit/audit-table.ts';
import { auditRecorder } from '../../../shared/audit/recorder.ts';
import type { Clock } from '../../../shared/core/clock.ts';
import { creditTable } from '../../../shared/ledger/tables/credit-table.ts';
import { shardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { automaticTable } from '../../../shared/payments/automatic/automatic-table.ts';
import type { TopUpDependencies } from '../../../shared/payments/dependencies.ts';
import { documentTable } from '../../../shared/payments/documents/document-table.ts';
import { type LotTable, lotTable } from '../../../shared/payments/lots/lot-table.ts';
import { orderTable } from '../../../shared/payments/orders/order-table.ts';
import type { PaymentProvider, VerifiedPayment } from '../../../shared/payments/paystack/payment-provider.ts';
import { type BillingTable, billingTable } from '../../../shared/payments/prices/billing-table.ts';
import { type PriceTable, priceTable } from '../../../shared/payments/prices/price-table.ts';
import type { MoneySettings } from '../../../shared/payments/settings.ts';
import { MemoryStore, type RowChange } from '../../ledger/storage/memory-store.ts';

export const WALLET = { env: 'live', organisationId: 'aaaaaaaaaa' } as const;

export interface MemoryClient {
  readonly client: DynamoDBDocumentClient;
  /** All changes to rows, by any client, in order. A transaction adds several. */
  readonly writes: RowChange[];
  /** Runs before each call. If it throws, the call fails with this error and is not applied. */
  before: (command: { readonly input: object }) => Promise<void> | void;
  /** Runs after each call that was applied. If it throws, the call fails with this error nevertheless. */
  after: () => void;
  fork(): MemoryClient;
}

export function memoryClient(): MemoryClient {
  const writes: RowChange[] = [];
  return clientOf(new MemoryStore((changes) => writes.push(...changes)), writes);
}

function clientOf(store: MemoryStore, writes: RowChange[]): MemoryClient {
  const send = async (command: { readonly input: object }) => {
    await memory.before(command);
    const result = store.apply(command);
    memory.after();
    return result;
  };
  const memory: MemoryClient = {
    // The SDK's paginators accept only an instance of the class.
    client: Object.assign(Object.create(DynamoDBDocumentClient.prototype), { send }),
    writes,
    before: () => undefined,
    after: () => undefined,
    fork: () => clientOf(store, writes),
  };
  return memory;
}

export const SETTINGS: MoneySettings = {
  seller: {
    name: 'Identity Services Ltd',
    address: ['1 Broad Street', 'Lagos'],
    taxNumber: '10000000-0001',
    email: 'finance@seller.example',
  },
  vat: [{ from: '2020-02-01', basisPoints: 750 }],
  documentPrefix: 'IDV',
  leastCredits: 10,
  mostCredits: 100_000,
  paystackUrl: 'http://127.0.0.1:1',
};

export interface FakeProvider extends PaymentProvider {
  readonly payments: Map<string, VerifiedPayment>;
  /** Runs before each call to `initialise` or `verify`. If it throws, the call fails with this error. */
  before: () => Promise<void> | void;
  calls: number;
}

export function fakeProvider(): FakeProvider {
  const payments = new Map<string, VerifiedPayment>();
  const called = async () => {
    provider.calls += 1;
    await provider.before();
  };
  const provider: FakeProvider = {
    payments,
    before: () => undefined,
    calls: 0,
    async initialise({ reference }) {
      await called();
      return { checkoutUrl: `https://checkout.example/${reference}` };
    },
    async verify(reference) {
      await called();
      return payments.get(reference) ?? { status: 'missing' };
    },
    findCard: async () => undefined,
    charge: () => Promise.reject(new Error('Not in this test.')),
    refund: () => Promise.reject(new Error('Not in this test.')),
    listRefunds: async () => [],
  };
  return provider;
}

/** Returns a clock that moves by a millisecond with each reading, so that IDs sort by time. */
export function memoryClock(startIso: string): { time: { nowMs: number }; clock: Clock } {
  const time = { nowMs: Date.parse(startIso) };
  const nowMs = () => {
    time.nowMs += 1;
    return time.nowMs;
  };
  return { time, clock: { nowMs, pause: async () => undefined, random: () => 0.5 } };
}

export interface PaymentTables extends TopUpDependencies {
  readonly lots: LotTable;
  readonly prices: PriceTable;
  readonly billing: BillingTable;
}

/** Returns the dependencies of top-ups over in-memory tables, with the audit recorder that functions use. */
export function topUpDependencies(
  client: DynamoDBDocumentClient,
  provider: PaymentProvider,
  clock: Clock,
): PaymentTables {
  const run = { actor: 'paystack', action: 'settle top-up', commandId: 'run' };
  const recorder = auditRecorder(auditTable(client, 'AuditTrail'), run, clock.nowMs);
  return {
    recorder,
    automatic: automaticTable(client, 'Payments'),
    orders: orderTable(client, 'Payments', recorder),
    prices: priceTable(client, 'Payments', recorder),
    billing: billingTable(client, 'Payments', recorder),
    lots: lotTable(client, 'Payments'),
    documents: documentTable(client, 'Payments'),
    credits: creditTable(client, { wallets: 'Wallets', payments: 'Payments' }, recorder),
    shards: shardTable(client, 'Wallets'),
    walletShards: async () => 1,
    providers: { live: provider, test: provider },
    settings: SETTINGS,
    clock,
    actor: 'paystack',
    publishSoon: async () => undefined,
  };
}

/** Sets a price of 50 naira per credit and the organisation's billing details, and creates its wallets. */
export async function setUp(
  {
    prices,
    billing,
    shards,
  }: Pick<TopUpDependencies, 'shards'> & {
    readonly prices: ReturnType<typeof priceTable>;
    readonly billing: ReturnType<typeof billingTable>;
  },
  organisationId: string = WALLET.organisationId,
  createdAt = '2026-01-01T00:00:00.000Z',
): Promise<void> {
  await prices.addPrice(undefined, {
    koboPerCredit: 5_000,
    from: createdAt,
    actor: 'ada',
    reason: '',
    createdAt,
  });
  await billing.putBilling(organisationId, undefined, {
    name: 'Kainji Pay Ltd',
    address: ['2 Marina', 'Lagos'],
    taxNumber: '12345678-0001',
    email: 'accounts@kainji.example',
    changedAt: createdAt,
    changedBy: 'ada',
  });
  for (const env of ['live', 'test'] as const) await shards.createShard({ env, organisationId }, 0);
}
