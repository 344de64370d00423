import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { approved, withServices } from '../../shared/accounts/manage-organisation.ts';
import { newOrganisation } from '../../shared/accounts/organisation.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { accountingMonthOf, monthBefore, monthStartMs } from '../../shared/core/accounting-month.ts';
import { type Clock, DAY_MS, HOUR_MS } from '../../shared/core/clock.ts';
import { ENVIRONMENTS } from '../../shared/core/environment.ts';
import { newOperationId, newRequestId } from '../../shared/core/ids.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import { instanceMemory, type LedgerTables } from '../../shared/ledger/dependencies.ts';
import { chargeOperation } from '../../shared/ledger/end-operation.ts';
import { reserveCredit } from '../../shared/ledger/reserve.ts';
import { statementTable } from '../../shared/ledger/statement/statement-table.ts';
import { sweepHolds } from '../../shared/ledger/sweep.ts';
import { chargeTable } from '../../shared/ledger/tables/charge-table.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { idempotencyTable } from '../../shared/ledger/tables/idempotency-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { walletTable } from '../../shared/ledger/tables/wallet-table.ts';
import { documentTable } from '../../shared/payments/documents/document-table.ts';
import { creditWithLot } from '../../shared/payments/lots/credit-with-lot.ts';
import { lotTable } from '../../shared/payments/lots/lot-table.ts';
import { closingTable } from '../../shared/payments/months/closing-table.ts';
import { creditTransfer } from '../../shared/payments/orders/credit-transfer.ts';
import { orderTable } from '../../shared/payments/orders/order-table.ts';
import { billingTable } from '../../shared/payments/prices/billing-table.ts';
import { priceTable } from '../../shared/payments/prices/price-table.ts';
import { refundCredits } from '../../shared/payments/refunds/refund-credits.ts';
import { refundTable } from '../../shared/payments/refunds/refund-table.ts';
import type { MoneySettings } from '../../shared/payments/settings.ts';
import { logTable } from '../../shared/verifications/log-table.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import { local } from '../stages/local.ts';
import { type ServiceEnvironment, settingFrom, withServiceClient } from './demo-client.ts';

/**
 * A customer that `npm start` creates, with a month that can be closed: last month, it bought, used and returned
 * credits. The example in docs/finance.md closes that month, and its figures follow from this file.
 */

/** Fixed, so that the example can name it. */
export const DEMO_CUSTOMER = { id: 'DemoLender', name: 'Harmattan Credit' } as const;

const ACTOR = 'local';
const KOBO_PER_CREDIT = 4_500;
const WALLET: WalletId = { env: 'live', organisationId: DEMO_CUSTOMER.id };
const BUYER = {
  name: 'Harmattan Credit Ltd',
  address: ['7 Specimen Avenue', 'Ikeja', 'Lagos'],
  taxNumber: '00000000-0003',
  email: 'finance@harmattan.example',
};

/** The names of the tables. */
type DemoTables = Readonly<Record<'apiKeys' | 'wallets' | 'verificationLogs' | 'payments', string>>;

/** Creates the customer in a running local service. Returns the month of its bookings (`yyyy-mm`). */
export async function addDemoAccounts(environment: ServiceEnvironment): Promise<string> {
  const { money } = local;
  if (!money) throw new Error('The local stage has no money settings.');
  const tables = {
    apiKeys: settingFrom(environment, 'API_KEYS_TABLE'),
    wallets: settingFrom(environment, 'WALLETS_TABLE'),
    verificationLogs: settingFrom(environment, 'VERIFICATION_LOGS_TABLE'),
    payments: settingFrom(environment, 'PAYMENTS_TABLE'),
  };
  return withServiceClient(environment, (client) => createDemoAccounts(client, tables, money, Date.now()));
}

/**
 * Creates the customer and its bookings for the last complete accounting month before `nowMs`. Returns that month
 * (`yyyy-mm`). If the customer already exists, changes nothing.
 */
export async function createDemoAccounts(
  client: DynamoDBDocumentClient,
  tables: DemoTables,
  settings: MoneySettings,
  nowMs: number,
): Promise<string> {
  const month = monthBefore(accountingMonthOf(nowMs));
  const demo = new DemoMonth(client, tables, settings, month);
  if (await demo.createCustomer()) await demo.invent();
  return month;
}

class DemoMonth {
  readonly #startMs: number;
  readonly #client: DynamoDBDocumentClient;
  readonly #tables: DemoTables;
  readonly #settings: MoneySettings;
  readonly #memory = instanceMemory();
  #nowMs: number;

  constructor(client: DynamoDBDocumentClient, tables: DemoTables, settings: MoneySettings, month: string) {
    this.#client = client;
    this.#tables = tables;
    this.#settings = settings;
    this.#startMs = monthStartMs(month);
    this.#nowMs = this.#startMs + 8 * HOUR_MS;
  }

  /** Returns false if the customer already exists. */
  async createCustomer(): Promise<boolean> {
    const { organisations, shards, prices, billing } = this.#payments();
    const now = new Date(this.#nowMs);
    const row = { ...newOrganisation(DEMO_CUSTOMER.name, now), id: DEMO_CUSTOMER.id };
    if (!(await organisations.insertOrganisation(withServices(approved(row), SERVICE_NAMES)))) return false;
    for (const env of ENVIRONMENTS) await shards.createShard({ ...WALLET, env }, 0);
    const at = now.toISOString();
    const price = { koboPerCredit: KOBO_PER_CREDIT, from: at, actor: ACTOR, reason: 'demo', createdAt: at };
    await prices.addPrice(DEMO_CUSTOMER.id, price);
    await billing.putBilling(DEMO_CUSTOMER.id, undefined, { ...BUYER, changedAt: at, changedBy: ACTOR });
    return true;
  }

  /** Adds two purchases, free credits, 60 requests, a refund and a correction. */
  async invent(): Promise<void> {
    await this.#buy(2, 500, 'BANK-0001');
    await this.#book(3, 'TOP_UP', 50, 'GIFT-0001', 'Welcome credits');
    for (let request = 0; request < 40; request += 1)
      await this.#charge(4 + Math.floor(request / 4), 'nin-basic', 1);
    for (let request = 0; request < 20; request += 1)
      await this.#charge(14 + Math.floor(request / 4), 'nin-premium', 2);
    const second = await this.#buy(20, 200, 'BANK-0002');
    this.#setDay(21);
    const refund = { credits: 100, reference: 'REFUND-0001', reason: 'Ordered too much', actor: ACTOR };
    await refundCredits({ wallet: WALLET, invoice: second.invoice ?? '', ...refund }, this.#payments());
    await this.#book(22, 'CORRECTION', -5, 'TICKET-0001', '5 welcome credits too many');
    this.#setDay(23);
    await sweepHolds(this.#ledger(), this.#clock, (error) => {
      throw error;
    });
  }

  async #buy(day: number, credits: number, reference: string) {
    this.#setDay(day);
    const transfer = { wallet: WALLET, credits, reference, reason: '' };
    return (await creditTransfer(transfer, this.#payments())).order;
  }

  async #book(day: number, kind: 'TOP_UP' | 'CORRECTION', amount: number, reference: string, reason: string) {
    this.#setDay(day);
    const order = { reference, kind, amount, actor: ACTOR, reason };
    await creditWithLot(WALLET, 1, order, this.#payments(), this.#clock);
  }

  async #charge(day: number, service: 'nin-basic' | 'nin-premium', cost: number): Promise<void> {
    this.#setDay(day);
    const requestedAtMs = this.#clock.nowMs();
    const id = newOperationId(requestedAtMs);
    const own = {
      id,
      wallet: WALLET,
      requestId: newRequestId(),
      service,
      cost,
      keyLabel: 'demo',
      numberTag: id,
    };
    const operation = { ...own, requestedAtMs };
    const ledger = this.#ledger();
    const reserved = await reserveCredit(operation, 1, ledger, this.#memory, this.#clock);
    if (reserved.kind !== 'held') throw new Error(`The demo customer cannot pay: ${reserved.kind}.`);
    const facts = { outcome: 'FOUND', httpStatus: 200, provider: 'sandbox', latencyMs: 300 } as const;
    await chargeOperation({ operation, hold: reserved.hold }, facts, ledger, this.#memory, this.#clock);
  }

  /** Moves the clock to a day of the month, counted from 0. The clock never goes back. */
  #setDay(day: number): void {
    this.#nowMs = Math.max(this.#nowMs, this.#startMs + day * DAY_MS + 9 * HOUR_MS);
  }

  /** Each reading is a second later, so that no two rows have the same time. */
  readonly #clock: Clock = {
    nowMs: () => {
      this.#nowMs += 1_000;
      return this.#nowMs;
    },
    pause: async () => undefined,
    random: Math.random,
  };

  #ledger(): LedgerTables {
    const client = this.#client;
    const { wallets, verificationLogs } = this.#tables;
    return {
      wallets: walletTable(client, client, wallets),
      shards: shardTable(client, wallets),
      charges: chargeTable(client, client, wallets),
      idempotency: idempotencyTable(client, wallets),
      log: logTable(client, client, verificationLogs, 365),
    };
  }

  #payments() {
    const client = this.#client;
    const { apiKeys, wallets, payments } = this.#tables;
    return {
      organisations: organisationTable(client, apiKeys),
      credits: creditTable(client, { wallets, payments }),
      shards: shardTable(client, wallets),
      statement: statementTable(client, wallets),
      lots: lotTable(client, payments),
      orders: orderTable(client, payments),
      refunds: refundTable(client, payments),
      documents: documentTable(client, payments),
      closings: closingTable(client, payments),
      prices: priceTable(client, payments),
      billing: billingTable(client, payments),
      walletShards: async () => 1,
      settings: this.#settings,
      clock: this.#clock,
      actor: ACTOR,
    };
  }
}
