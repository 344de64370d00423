import { newOrganisation, type Organisation } from '../../shared/accounts/organisation.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { monthAfter, monthEndMs, monthStartMs } from '../../shared/core/accounting-month.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import { instanceMemory } from '../../shared/ledger/dependencies.ts';
import { chargeOperation, voidOperation } from '../../shared/ledger/end-operation.ts';
import type { Operation } from '../../shared/ledger/operation.ts';
import { readBalance } from '../../shared/ledger/read-balance.ts';
import { sealTable } from '../../shared/ledger/reconcile/seal-table.ts';
import { reserveCredit } from '../../shared/ledger/reserve.ts';
import { statementTable } from '../../shared/ledger/statement/statement-table.ts';
import { sweepHolds } from '../../shared/ledger/sweep.ts';
import { recordedOrders } from '../../shared/operators/operations/recorded-orders.ts';
import { creditWithLot } from '../../shared/payments/lots/credit-with-lot.ts';
import { expireLots } from '../../shared/payments/lots/expire-lots.ts';
import { type LotReads, lotPositions } from '../../shared/payments/lots/lot-positions.ts';
import { type ClosingTable, closingTable } from '../../shared/payments/months/closing-table.ts';
import { reopenMonth } from '../../shared/payments/months/reopen-month.ts';
import { creditTransfer } from '../../shared/payments/orders/credit-transfer.ts';
import { openTopUp } from '../../shared/payments/orders/open-top-up.ts';
import type { TopUpOrder } from '../../shared/payments/orders/order.ts';
import {
  findOpenReversal,
  resolveProblem,
  resolveReversal,
} from '../../shared/payments/orders/resolve-reversal.ts';
import { settleTopUp } from '../../shared/payments/orders/settle-top-up.ts';
import { payBack } from '../../shared/payments/refunds/pay-back.ts';
import { isPaidByBank } from '../../shared/payments/refunds/refund.ts';
import { refundCredits } from '../../shared/payments/refunds/refund-credits.ts';
import { refundTable } from '../../shared/payments/refunds/refund-table.ts';
import { sendRefunds } from '../../shared/payments/refunds/send-refunds.ts';
import {
  type AccountsSource,
  listRefunds,
  readMonth,
} from '../../shared/payments/reports/accounts-source.ts';
import { agedBalancesReport } from '../../shared/payments/reports/aged-balances.ts';
import { lineTable } from '../../shared/payments/reports/line-table.ts';
import type { Report } from '../../shared/payments/reports/report.ts';
import type { MoneySettings } from '../../shared/payments/settings.ts';
import { type Random, seededRandom } from '../ledger/simulation/random.ts';
import { realTables } from '../ledger/storage/database.ts';
import { closeMonth } from '../support/payments/close-month.ts';
import {
  fakeProvider,
  type MemoryClient,
  memoryClient,
  memoryClock,
  SETTINGS,
  setUp,
  topUpDependencies,
} from '../unit/payments/memory-payments.ts';

/**
 * Invents months of activity for several customers, by running the service's use cases on in-memory tables: purchases
 * through Paystack and by bank transfer at changing prices, free credits that expire, refunds, corrections and charges.
 * Each month is closed some time after its end, during the next one.
 */

export interface InventedYear {
  readonly source: AccountsSource;
  readonly organisations: readonly Organisation[];
  /** The tables. */
  readonly memory: MemoryClient;
  /** How often each action was done, and how often it was rejected or not completed. */
  readonly done: Readonly<Record<string, number>>;
  readonly deps: Omit<LotReads, 'closings'> & {
    readonly closings: ClosingTable;
    readonly settings: MoneySettings;
  };
  /** As reported at the end of each month, before the month was closed. */
  readonly agedBalances: ReadonlyMap<string, Report>;
  nowMs(): number;
}

const NAMES = ['Àṣàké Lending Ltd', '=Kainji Pay, Ltd', 'Harmattan "Credit"', 'Invented Rock Bank'];
/** The day from which the rate of VAT is 10%. */
const RATE_CHANGE = '2026-07-01';
const SERVICES = ['nin-basic', 'nin-premium', 'bvn-basic', 'cac-basic'] as const;

/** What may happen in a wallet, with the relative frequency of each action. */
const ACTIONS = {
  charge: 40,
  fail: 3,
  paystack: 3,
  payLate: 2,
  transfer: 2,
  promotion: 2,
  refund: 3,
  chargeback: 1,
  takeBack: 2,
  resolve: 1,
  resolveMismatch: 2,
  payBack: 1,
  correctUp: 1,
  correctDown: 2,
} as const;
type Action = keyof typeof ACTIONS;
const CHOICES = Object.entries(ACTIONS).flatMap(([name, weight]) => Array<string>(weight).fill(name));

interface Event {
  readonly atMs: number;
  run(): Promise<void>;
}

/**
 * Invents `months` months, starting with `first`, and closes them. `actions` is the number of actions in each wallet
 * and month.
 */
export async function inventYear(options: {
  readonly seed: number;
  readonly first: string;
  readonly months: number;
  readonly actions: number;
  /** ISO time. @default after the last closing */
  readonly endsAt?: string;
  /** @default 4 */
  readonly organisations?: number;
}): Promise<InventedYear> {
  const year = new Year(seededRandom(options.seed), options.first, options.organisations);
  await year.begin();
  const events: Event[] = [];
  let month = options.first;
  for (let count = 0; count < options.months; count += 1, month = monthAfter(month))
    events.push(...year.eventsOf(month, options.actions));
  const endsAtMs = options.endsAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(options.endsAt);
  const due = events.filter(({ atMs }) => atMs < endsAtMs);
  await year.run(due.sort((a, b) => a.atMs - b.atMs));
  return year;
}

class Year implements InventedYear {
  readonly organisations: Organisation[];
  readonly done: Record<string, number> = {};
  readonly agedBalances = new Map<string, Report>();
  readonly source: AccountsSource;
  readonly memory = memoryClient();
  readonly #random: Random;
  readonly #time: { nowMs: number };
  readonly #provider = fakeProvider();
  readonly deps;
  readonly #operatorsOrders;
  readonly #ledger;
  readonly #instance = instanceMemory();
  #references = 0;

  constructor(random: Random, first: string, organisations = NAMES.length) {
    this.#random = random;
    this.#provider.refund = async ({ amountKobo, note }) => ({
      refundReference: this.#reference('RF'),
      status: 'processed',
      amountKobo,
      currency: 'NGN',
      note,
    });
    const startMs = monthStartMs(first);
    const { client } = this.memory;
    const { time, clock } = memoryClock(new Date(startMs - HOUR_MS).toISOString());
    this.#time = time;
    this.organisations = NAMES.slice(0, organisations).map((name, index) => ({
      ...newOrganisation(name, new Date(startMs - HOUR_MS)),
      id: `customer${String(index).padStart(2, '0')}`,
      walletShards: index === 1 ? 3 : 1,
    }));
    const shardsOf = (id: string) => this.organisations.find((one) => one.id === id)?.walletShards ?? 1;
    const topUps = topUpDependencies(client, this.#provider, clock);
    this.#operatorsOrders = recordedOrders(client, 'Payments', topUps.recorder);
    this.deps = {
      ...topUps,
      walletShards: async (id: string) => shardsOf(id),
      organisations: organisationTable(client, 'ApiKeys'),
      closings: closingTable(client, 'Payments'),
      refunds: refundTable(client, 'Payments', topUps.recorder),
      statement: statementTable(client, 'Wallets'),
      seals: sealTable(client, 'Wallets'),
      settings: { ...SETTINGS, vat: [...SETTINGS.vat, { from: RATE_CHANGE, basisPoints: 1_000 }] },
    };
    this.#ledger = realTables(client, client);
    this.source = {
      ...this.deps,
      listOrganisations: async () => this.organisations,
      lines: lineTable(client, 'Wallets'),
      balance: (wallet, count) => readBalance(wallet, count, this.deps.shards, clock),
    };
  }

  nowMs(): number {
    return this.#time.nowMs;
  }

  async begin(): Promise<void> {
    const { organisations, shards } = this.deps;
    for (const [index, row] of this.organisations.entries()) {
      await organisations.insertOrganisation(row);
      if (index === 0) await setUp(this.deps, row.id, row.createdAt);
      else await this.#setBilling(row);
      for (const env of ['live', 'test'] as const)
        for (let shard = 0; shard < row.walletShards; shard += 1)
          await shards.createShard({ env, organisationId: row.id }, shard);
    }
  }

  /** Returns the events of a month: random actions, a price change, daily expiries, and closings within nine days. */
  eventsOf(month: string, actions: number): Event[] {
    const [startMs, endMs] = [monthStartMs(month), monthEndMs(month)];
    const random = this.#random;
    const events: Event[] = [];
    const add = (atMs: number, run: () => Promise<void>) => events.push({ atMs, run });
    add(startMs + random.between(0, 20) * DAY_MS, () => this.#changePrice());
    add(endMs, () => this.#takeSnapshot(month));
    for (let atMs = startMs + HOUR_MS; atMs < endMs; atMs += DAY_MS) add(atMs, () => this.#expire());
    for (const { wallet, organisation } of this.#wallets()) {
      // A purchase early in each month, so that other actions have credits to act on.
      add(startMs + random.between(11, 600) * MINUTE_MS, () => this.#act('transfer', wallet));
      for (let count = 0; count < actions; count += 1) {
        const action = (CHOICES[random.between(0, CHOICES.length - 1)] ?? 'charge') as Action;
        // Some actions happen in the first or last moments of a month in Lagos.
        const edge = random.chance(0.1) ? random.pick([startMs + 1, endMs - 2_000]) : undefined;
        add(edge ?? random.between(startMs, endMs - 2_000), () => this.#act(action, wallet));
      }
      const closeAtMs = endMs + random.between(15, 9 * 24 * 60) * MINUTE_MS;
      add(closeAtMs, () => this.#close(wallet, organisation, month));
      if (random.chance(0.15))
        add(closeAtMs + MINUTE_MS, () => this.#closeAgain(wallet, organisation, month));
    }
    return events;
  }

  async run(events: readonly Event[]): Promise<void> {
    for (const { atMs, run } of events) {
      this.#time.nowMs = Math.max(this.#time.nowMs, atMs);
      await run();
    }
  }

  #wallets() {
    return this.organisations.flatMap((organisation, index) =>
      (index === 0 ? (['live', 'test'] as const) : (['live'] as const)).map((env) => ({
        wallet: { env, organisationId: organisation.id },
        organisation,
      })),
    );
  }

  async #act(action: Action, wallet: WalletId): Promise<void> {
    const act: Record<Action, (wallet: WalletId) => Promise<boolean>> = {
      charge: (one) => this.#charge(one, true),
      fail: (one) => this.#charge(one, false),
      paystack: (one) => this.#buyAtPaystack(one),
      payLate: (one) => this.#payLate(one),
      transfer: (one) => this.#buyByTransfer(one),
      promotion: (one) => this.#promote(one),
      refund: (one) => this.#refund(one),
      chargeback: (one) => this.#chargeBack(one),
      takeBack: (one) => this.#takeBack(one),
      resolve: (one) => this.#resolve(one),
      resolveMismatch: (one) => this.#resolveMismatch(one),
      payBack: (one) => this.#payBack(one),
      correctUp: (one) => this.#correct(one, 1),
      correctDown: (one) => this.#correct(one, -1),
    };
    this.#count(action, await act[action](wallet));
  }

  #count(action: string, isDone: boolean): void {
    const name = isDone ? action : `${action} rejected`;
    this.done[name] = (this.done[name] ?? 0) + 1;
  }

  #reference(prefix: string): string {
    this.#references += 1;
    return `${prefix}-${this.#references}`;
  }

  async #charge(wallet: WalletId, isFound: boolean): Promise<boolean> {
    const { clock } = this.deps;
    const nowMs = clock.nowMs();
    const operation: Operation = {
      id: newOperationId(nowMs),
      wallet,
      requestId: `req_${String(nowMs).slice(-12)}`,
      service: this.#random.pick(SERVICES),
      cost: this.#random.between(1, 25),
      keyLabel: 'server',
      numberTag: newOperationId(nowMs),
      requestedAtMs: nowMs,
    };
    const shards = await this.deps.walletShards(wallet.organisationId);
    const reserved = await reserveCredit(operation, shards, this.#ledger, this.#instance, clock);
    if (reserved.kind !== 'held') return false;
    const { hold } = reserved;
    const facts = { outcome: 'FOUND', httpStatus: 200, provider: 'prembly', latencyMs: 900 } as const;
    this.#time.nowMs += 900;
    if (isFound) await chargeOperation({ operation, hold }, facts, this.#ledger, this.#instance, clock);
    else
      await voidOperation(
        operation,
        { ...facts, outcome: 'NOT_FOUND' },
        { operation, hold },
        this.#ledger,
        clock,
      );
    return true;
  }

  async #buyAtPaystack(wallet: WalletId): Promise<boolean> {
    const reference = `TOPUP-${newOperationId(this.deps.clock.nowMs())}`;
    const credits = this.#random.between(10, 200);
    const request = { wallet, credits, callbackUrl: 'https://api.example', openedBy: 'server' };
    const opened = await openTopUp(request, reference, this.deps);
    if (opened.kind !== 'opened') throw new Error(`No order was opened: ${opened.kind}.`);
    // Some orders are paid later, or never.
    if (this.#random.chance(0.4)) return false;
    return this.#pay(opened.order);
  }

  async #payLate(wallet: WalletId): Promise<boolean> {
    const open = await this.deps.orders.listOrders(wallet);
    const order = open.findLast(({ state, method }) => state === 'OPENED' && method === 'PAYSTACK');
    return order ? this.#pay(order) : false;
  }

  async #pay({ env, reference, totalKobo }: TopUpOrder): Promise<boolean> {
    this.#provider.payments.set(reference, {
      status: 'success',
      reference,
      // Some payments differ from their order.
      amountKobo: totalKobo + (this.#random.chance(0.15) ? 1 : 0),
      currency: 'NGN',
      paidAt: new Date(this.#time.nowMs).toISOString(),
      channel: 'card',
      providerReference: String(4_000_000_000 + this.#provider.payments.size),
    });
    const settled = await settleTopUp(env, reference, this.deps);
    return settled?.state === 'CREDITED';
  }

  async #buyByTransfer(wallet: WalletId): Promise<boolean> {
    const reference = this.#reference('BANK');
    const credits = this.#random.between(10, 300);
    await creditTransfer({ wallet, credits, reference, reason: '' }, { ...this.deps, actor: 'ada' });
    return true;
  }

  async #promote(wallet: WalletId): Promise<boolean> {
    const terms = {
      kind: this.#random.chance(0.7) ? ('promotional' as const) : ('refund' as const),
      ...(this.#random.chance(0.7) && {
        expiresAt: new Date(this.#time.nowMs + this.#random.between(1, 70) * DAY_MS).toISOString(),
      }),
    } as const;
    await this.#book(wallet, 'TOP_UP', this.#random.between(1, 60), terms);
    return true;
  }

  async #correct(wallet: WalletId, sign: 1 | -1): Promise<boolean> {
    const amount = sign * this.#random.between(1, 60);
    if (sign === 1) {
      await this.#book(wallet, 'CORRECTION', amount, { kind: 'correction' });
      return true;
    }
    return isAllowed(this.#book(wallet, 'CORRECTION', amount, { kind: 'correction' }), /cannot be removed/);
  }

  async #book(
    wallet: WalletId,
    kind: 'TOP_UP' | 'CORRECTION',
    amount: number,
    terms: Parameters<typeof creditWithLot>[5],
  ): Promise<void> {
    const order = { reference: this.#reference('TICKET'), kind, amount, actor: 'ada', reason: 'invented' };
    const shards = await this.deps.walletShards(wallet.organisationId);
    await creditWithLot(wallet, shards, order, this.deps, this.deps.clock, terms);
  }

  async #refund(wallet: WalletId): Promise<boolean> {
    const paid = (await this.deps.lots.listLots(wallet)).filter(({ kind }) => kind === 'paid');
    const lot = paid[this.#random.between(0, paid.length - 1)];
    if (!lot?.invoice) return false;
    const request = {
      wallet,
      invoice: lot.invoice,
      credits: this.#random.between(1, Math.max(1, Math.floor(lot.credits / 2))),
      reference: this.#reference('REFUND'),
      reason: 'Ordered too much',
      actor: 'ada',
    };
    return isAllowed(
      refundCredits(request, this.deps),
      /unspent credits|cannot be removed|may still be charged|has a problem|was booked as/,
    );
  }

  /** Reverses the payment of a credited order. */
  async #chargeBack(wallet: WalletId): Promise<boolean> {
    const orders = await this.deps.orders.listOrders(wallet);
    const paid = orders.filter(({ state, method }) => state === 'CREDITED' && method === 'PAYSTACK');
    const { reference = '' } = paid[this.#random.between(0, paid.length - 1)] ?? {};
    const made = this.#provider.payments.get(reference);
    if (made?.status !== 'success') return false;
    this.#provider.payments.set(reference, { ...made, status: 'reversed' });
    await settleTopUp(wallet.env, reference, this.deps, { recheck: true });
    return true;
  }

  async #openReversal(wallet: WalletId) {
    const orders = await this.deps.orders.listOrders(wallet);
    return orders.find(({ problem }) => problem !== undefined);
  }

  async #takeBack(wallet: WalletId): Promise<boolean> {
    const order = await this.#openReversal(wallet);
    const nowMs = this.deps.clock.nowMs();
    const credits = (await lotPositions(wallet, this.deps, nowMs)).get(order?.lot ?? '') ?? 0;
    if (!order?.invoice || credits === 0) return false;
    const ask = { wallet, invoice: order.invoice, credits, reference: this.#reference('CHARGEBACK') };
    return isAllowed(
      refundCredits({ ...ask, isPaidBack: true, reason: 'Chargeback', actor: 'ada' }, this.deps),
      /cannot be removed|may still be charged/,
    );
  }

  async #resolve(wallet: WalletId): Promise<boolean> {
    const order = await this.#openReversal(wallet);
    const open = order && (await findOpenReversal(order, this.deps));
    if (!open) return false;
    const as = this.#random.chance(0.5) ? 'loss' : 'receivable';
    const request = { as, totalKobo: open.totalKobo, reason: 'invented', actor: 'ada' } as const;
    await resolveReversal(order, request, { ...this.deps, orders: this.#operatorsOrders });
    return true;
  }

  async #resolveMismatch(wallet: WalletId): Promise<boolean> {
    const orders = await this.deps.orders.listOrders(wallet);
    const order = orders.find(({ state, problem }) => state === 'MISMATCH' && problem !== undefined);
    if (!order) return false;
    const request = { reason: 'The money was returned', actor: 'ada' };
    await resolveProblem(order, request, { ...this.deps, orders: this.#operatorsOrders });
    return true;
  }

  /** Records that a person returned the money of a bank transfer. */
  async #payBack(wallet: WalletId): Promise<boolean> {
    const documents = await this.deps.documents.listDocuments(wallet, 'CREDIT_NOTE');
    const refund = (await listRefunds(documents, this.deps)).find(isPaidByBank);
    if (!refund) return false;
    await payBack(refund, this.#reference('FT'), this.deps);
    return true;
  }

  async #takeSnapshot(month: string): Promise<void> {
    this.agedBalances.set(month, agedBalancesReport(await readMonth(month, 'live', this.source)));
  }

  async #expire(): Promise<void> {
    await sendRefunds(this.deps, (error) => {
      throw error;
    });
    const { expiredLots } = await expireLots(this.deps, (error) => {
      throw error;
    });
    this.done['expiry'] = (this.done['expiry'] ?? 0) + expiredLots;
  }

  async #changePrice(): Promise<void> {
    const createdAt = new Date(this.#time.nowMs).toISOString();
    const koboPerCredit = this.#random.between(3_001, 6_999);
    const organisationId = this.#random.chance(0.5)
      ? this.organisations[this.#random.between(0, this.organisations.length - 1)]?.id
      : undefined;
    const price = { koboPerCredit, from: createdAt, actor: 'ada', reason: 'invented', createdAt };
    this.#count('price', await this.deps.prices.addPrice(organisationId, price));
  }

  async #close(wallet: WalletId, organisation: Organisation, month: string): Promise<void> {
    await sweepHolds(this.#ledger, this.deps.clock, (error) => {
      throw error;
    });
    const { walletShards: shards, createdAt } = organisation;
    await closeMonth({ scope: { wallet, shards, createdAt }, month, actor: 'ada' }, this.deps);
    this.#count('close', true);
  }

  async #closeAgain(wallet: WalletId, organisation: Organisation, month: string): Promise<void> {
    await reopenMonth({ wallet, month, reason: 'An invented mistake' }, this.deps);
    this.#count('reopen', true);
    await this.#close(wallet, organisation, month);
  }

  async #setBilling({ id, name }: Organisation): Promise<void> {
    const changedAt = new Date(this.#time.nowMs).toISOString();
    await this.deps.billing.putBilling(id, undefined, {
      name,
      address: ['1 Invented Way', 'Lagos'],
      taxNumber: '12345678-0001',
      email: 'accounts@customer.example',
      changedAt,
      changedBy: 'ada',
    });
  }
}

/** Returns false if an action was rejected for an expected reason. Throws other errors. */
async function isAllowed(action: Promise<unknown>, expected: RegExp): Promise<boolean> {
  try {
    await action;
    return true;
  } catch (error) {
    if (error instanceof Error && expected.test(error.message)) return false;
    throw error;
  }
}
