import type { APIGatewayProxyEvent } from 'aws-lambda';
import { decodeTime } from 'ulid';
import { recordAlone } from '../../shared/audit/audit-table.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import { entryOf, ServiceError } from '../../shared/core/errors.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import type { ApiContext } from '../../shared/http/context.ts';
import type { Difference } from '../../shared/ledger/reconcile/rows.ts';
import { sweepHolds } from '../../shared/ledger/sweep.ts';
import { sealCard } from '../../shared/payments/automatic/seal-card.ts';
import { creditWithLot } from '../../shared/payments/lots/credit-with-lot.ts';
import { lotPositions } from '../../shared/payments/lots/lot-positions.ts';
import { closeMonths } from '../../shared/payments/months/close-months.ts';
import { reopenMonth } from '../../shared/payments/months/reopen-month.ts';
import { creditTransfer, type PaidTransfer } from '../../shared/payments/orders/credit-transfer.ts';
import { newOrder, openTopUp, PAYABLE_MS } from '../../shared/payments/orders/open-top-up.ts';
import type { TopUpOrder } from '../../shared/payments/orders/order.ts';
import { quoteTopUp } from '../../shared/payments/orders/quote-top-up.ts';
import { findOpenReversal, resolveReversal } from '../../shared/payments/orders/resolve-reversal.ts';
import { settleTopUp } from '../../shared/payments/orders/settle-top-up.ts';
import { paystackSignature, SIGNATURE_HEADER } from '../../shared/payments/paystack/webhook-signature.ts';
import { refundCredits } from '../../shared/payments/refunds/refund-credits.ts';
import { receivePaystackWebhook } from '../../shared/payments/routes/paystack-webhook.ts';
import { runPayments } from '../../shared/payments/run-payments.ts';
import type { Counts } from '../ledger/history.ts';
import { functionInstance } from '../ledger/request.ts';
import { Network, NO_FAULTS } from '../ledger/simulation/network.ts';
import { Process } from '../ledger/simulation/process.ts';
import { type Random, seededRandom } from '../ledger/simulation/random.ts';
import { World } from '../ledger/simulation/world.ts';
import { realTables } from '../ledger/storage/database.ts';
import { Journal } from '../ledger/storage/journal.ts';
import { type MemoryDatabase, openMemory } from '../ledger/storage/memory-tables.ts';
import type {
  AskedRefund,
  PaymentEvidence,
  SavedCardCharge,
  SeenOrder,
  SentWebhook,
  TakenMoney,
} from './checker/evidence.ts';
import { CARD_KEYS, CREATED_AT, type FinanceOffice, financeOffice } from './finance-office.ts';
import {
  type FinanceAct,
  MONTH_END_MS,
  type PaymentPlan,
  type PlannedAct,
  type PlannedOrder,
  SPELL_MS,
} from './plan.ts';
import { SimulatedPaystack } from './simulated-paystack.ts';

/** The ends of January and February 2026 in Lagos. */
const MONTH_ENDS_MS = [Date.UTC(2026, 0, 31, 23), Date.UTC(2026, 1, 28, 23)] as const;
/** For the payments from then on, whenever their orders were opened. */
const VAT_RISES_MS = MONTH_ENDS_MS[0];
const MONTHS = ['2026-01', '2026-02'] as const;
const KEYS = { live: 'sk_live_simulation', test: 'sk_test_simulation' };
const FORGED_KEY = 'sk_live_forged';
const KOBO_PER_CREDIT = 5_033;
/** Only that of the stage, which the second wallet's own price overrides. */
const PRICE_RISES_MS = VAT_RISES_MS + 12 * HOUR_MS;

/**
 * Runs one plan. Returns rows, payments and messages as evidence for the checker, and how often it reached each
 * outcome.
 */
export async function runPaymentHistory(
  plan: PaymentPlan,
  counts: Counts,
): Promise<{ evidence: PaymentEvidence; reached: Map<string, number> }> {
  return new PaymentHistory(plan, counts).run();
}

type PlannedTransfer = NonNullable<Extract<FinanceAct, { kind: 'transfer' }>['order']> &
  Pick<PaidTransfer, 'wallet' | 'credits' | 'reference'>;

type OpenedOrder = SeenOrder & {
  totalKobo: number;
  readonly totals: readonly number[];
  readonly openedAtMs: number;
};

class PaymentHistory {
  private readonly plan: PaymentPlan;
  private readonly random: Random;
  private readonly world = new World(MONTH_ENDS_MS[0] - MONTH_END_MS - HOUR_MS);
  private readonly journal = new Journal(this.world);
  private readonly network: Network;
  private readonly database: MemoryDatabase;
  private readonly paystack: SimulatedPaystack;
  private readonly wallets: readonly WalletId[];
  private readonly orders: OpenedOrder[] = [];
  private readonly taken = new Map<string, TakenMoney>();
  private readonly webhooks: SentWebhook[] = [];
  private readonly refunds: AskedRefund[] = [];
  private readonly charges: SavedCardCharge[] = [];
  private readonly reached = new Map<string, number>();
  private count = 0;

  constructor(plan: PaymentPlan, counts: Counts) {
    this.plan = plan;
    this.random = seededRandom(plan.seed);
    this.network = new Network(this.random, NO_FAULTS, counts);
    this.database = openMemory(this.network, this.journal);
    this.paystack = new SimulatedPaystack(this.world, this.random);
    this.paystack.onCharge = (reference) => this.noteCharge(reference);
    this.wallets = plan.wallets.map((_, index) => ({
      env: 'live',
      organisationId: `CUSTOMER-${index}`,
    }));
  }

  async run() {
    const { plan, world, network, paystack } = this;
    this.start(() => this.openWallets());
    await world.run(world.nowMs + HOUR_MS / 2);
    network.rates = plan.rates;
    paystack.silent = plan.silent;
    this.schedule();
    for (const end of MONTH_ENDS_MS) await world.run(end - MONTH_END_MS + SPELL_MS);
    network.calm();
    paystack.silent = 0;
    await this.settleEverything();
    const wallets = this.wallets.map(({ env, organisationId }) => `${env}#${organisationId}`);
    const control = await this.control();
    const { orders, taken, webhooks, refunds, charges, journal, reached } = this;
    const returned = new Map(orders.map(({ reference }) => [reference, paystack.refundedKobo(reference)]));
    const { commits } = journal;
    const evidence = { wallets, commits, orders, taken, returned, webhooks, refunds, charges, control };
    return { evidence, reached };
  }

  /**
   * Continues without faults until late writes have arrived, the sweep has settled all orders, and both months are
   * closed.
   */
  private async settleEverything(): Promise<void> {
    const { world } = this;
    await world.run(Math.max(world.lastMs(), world.nowMs));
    // Paystack repeats a message that was not received.
    for (const [reference, { reversedAtMs }] of this.taken)
      if (reversedAtMs) this.start(() => this.receiveWebhook(reference, false, 'charge.dispute.resolve'));
    // The sweep checks an unpaid order for 72 hours. Without faults, later sweeps find nothing more.
    for (let hour = 0; hour <= 78; hour += 6) {
      this.sweep();
      await world.run(world.nowMs + 6 * HOUR_MS);
    }
    for (const month of MONTHS) {
      this.start(() => this.close(month, this.wallets));
      await world.run(world.nowMs + HOUR_MS);
    }
  }

  /** Returns what the control of the money rows reports, or undefined if it does not end. */
  private async control(): Promise<readonly Difference[] | undefined> {
    let found: readonly Difference[] | undefined;
    this.start(() =>
      this.as('reconciler', async ({ control, clock }) => {
        const options = { createdAt: CREATED_AT, nowMs: clock.nowMs(), isWhole: true };
        const ofWallets: Difference[] = [];
        for (const [index, wallet] of this.wallets.entries()) {
          const shards = this.shardsOf(index);
          ofWallets.push(...(await control.checkMoney(wallet, { ...options, shards, credits: [] })));
        }
        found = [...ofWallets, ...(await control.checkShared(this.wallets, options))];
      }),
    );
    await this.world.run(this.world.nowMs + HOUR_MS);
    return found;
  }

  private schedule(): void {
    const { plan } = this;
    const at = ({ spell, atMs }: { spell: 0 | 1; atMs: number }, action: () => Promise<unknown>) =>
      this.world.at(MONTH_ENDS_MS[spell] - MONTH_END_MS + atMs, () => this.start(action));
    for (const order of plan.orders) at(order, () => this.buy(order));
    for (const { wallet, cost, ...spell } of plan.charges) at(spell, () => this.charge(wallet, cost));
    for (const act of plan.acts) at(act, () => this.act(act));
    for (const spell of plan.sweeps) at(spell, async () => this.sweep());
    for (const spell of [0, 1] as const)
      for (let atMs = 0; atMs < SPELL_MS; atMs += 10 * MINUTE_MS)
        at({ spell, atMs }, async () => this.sweep());
  }

  /** Starts an action. An error ends only that action, unless it is a programming error. */
  private start(action: () => Promise<unknown>): void {
    action().catch((error: unknown) => {
      if (error instanceof TypeError || error instanceof ReferenceError) throw error;
      this.reach(
        `rejected: ${error instanceof Error ? error.message.replaceAll(/[0-9A-Z-]*\d[\w:.-]*/g, 'N') : ''}`,
      );
    });
  }

  private reach(what: string): void {
    this.reached.set(what, (this.reached.get(what) ?? 0) + 1);
  }

  /** Starts a new process with its own clients, like a function instance or a run of the CLI. */
  private office(actor: string, behindMs = 0): { process: Process; office: FinanceOffice } {
    const process = new Process(this.world, this.random, -behindMs);
    const shardsOf = (organisationId: string) => this.shardsOf(Number(organisationId.at(-1)));
    const provider = this.paystack.providerOf(process);
    const client = this.database.clientOf(process, 3);
    return { process, office: financeOffice(client, process.clock, provider, { actor, shardsOf }) };
  }

  private as<T>(actor: string, action: (office: FinanceOffice) => Promise<T>, behindMs = 0): Promise<T> {
    const { process, office } = this.office(actor, behindMs);
    return process.run(() => action(office));
  }

  private async openWallets(): Promise<void> {
    await this.as('operator', async (office) => {
      const { shards, prices, billing, recorder } = office;
      const price = {
        koboPerCredit: KOBO_PER_CREDIT,
        from: '2026-01-01T00:00:00.000Z',
        actor: 'ada',
        reason: 'list',
        createdAt: CREATED_AT,
      };
      await prices.addPrice(undefined, price);
      const rise = { koboPerCredit: koboAt(0, PRICE_RISES_MS), from: new Date(PRICE_RISES_MS).toISOString() };
      await prices.addPrice(undefined, { ...price, ...rise });
      for (const [index, wallet] of this.wallets.entries()) {
        for (let shard = 0; shard < this.shardsOf(index); shard += 1) await shards.createShard(wallet, shard);
        const { organisationId } = wallet;
        const created = { organisationId, target: 'organisation', after: { id: organisationId } };
        await recordAlone(office.client, recorder.record(created));
        const own = { ...price, koboPerCredit: koboAt(index, 0) };
        if (index > 0) await prices.addPrice(wallet.organisationId, own);
        await billing.putBilling(wallet.organisationId, undefined, {
          name: 'Buyer Limited',
          address: ['2 Example Road'],
          taxNumber: '87654321-0001',
          email: 'buyer@example.com',
          changedAt: CREATED_AT,
          changedBy: 'ada',
        });
        const free = this.plan.wallets[index]?.credits ?? 0;
        const opening = { kind: 'promotion', credits: free } as const;
        if (free > 0) await this.book(index, opening, `opening-${index}`, office);
      }
      await this.saveCard(office);
    });
  }

  private async saveCard({ automatic: table }: FinanceOffice): Promise<void> {
    const { automatic } = this.plan;
    const { organisationId } = this.walletOf(0);
    if (!automatic) return;
    const card = { authorisationCode: 'AUTH_simulation', email: 'buyer@example.com' };
    await table.saveAutomatic(undefined, {
      organisationId,
      state: 'ON',
      ...automatic,
      sealedCard: sealCard(card, organisationId, CARD_KEYS),
      changedAt: CREATED_AT,
      changedBy: 'operator',
      version: 1,
    });
  }

  private async buy(planned: PlannedOrder): Promise<void> {
    const { world } = this;
    const wallet = this.walletOf(planned.wallet);
    this.count += 1;
    const reference = `TOPUP-${String(this.count).padStart(4, '0')}`;
    const { pays } = planned;
    const after = (ms: number, action: () => unknown) => world.at(world.nowMs + ms, action);
    if (pays) after(pays.afterMs, () => this.pay(reference, planned.wallet, pays));
    if (planned.isDeclined) after(30_000, () => this.paystack.decline(reference));
    for (const { afterMs, isForged } of planned.webhooks)
      after(afterMs, () => this.start(() => this.receiveWebhook(reference, isForged)));
    for (const afterMs of planned.returns)
      after(afterMs, () =>
        this.start(() => this.as('paystack', (office) => settleTopUp('live', reference, office))),
      );
    const request = {
      wallet,
      credits: planned.credits,
      callbackUrl: 'https://api.example/return',
      openedBy: 'key',
    };
    const { process, office } = this.office('paystack');
    const netKobo = planned.credits * koboAt(planned.wallet, world.nowMs);
    const totalAt = (ms: number) => netKobo + Math.round(netKobo * (ms < VAT_RISES_MS ? 0.075 : 0.1));
    const order = { reference, wallet: nameOf(wallet), credits: planned.credits };
    // The rate may rise while the order is being opened.
    const totals = [totalAt(world.nowMs), totalAt(world.nowMs + MINUTE_MS)];
    this.orders.push({ ...order, totalKobo: totals[0] ?? 0, totals, openedAtMs: world.nowMs });
    const opened = await process.run(() => openTopUp(request, reference, office));
    this.reach(`order ${opened.kind}`);
  }

  /** A charge of the saved card, which is that of the first wallet. */
  private noteCharge(reference: string): void {
    const { world, paystack } = this;
    const totalKobo = paystack.askedKobo(reference) ?? 0;
    const id = paystack.paidId(reference);
    const { automatic } = this.plan;
    const order = {
      reference,
      wallet: nameOf(this.walletOf(0)),
      credits: automatic?.credits ?? 0,
      totalKobo,
    };
    // The process may have waited before it charged.
    const openedAtMs = decodeTime(reference.slice('TOPUP-'.length));
    this.orders.push({ ...order, totals: [totalKobo], openedAtMs });
    this.charges.push({ reference, atMs: world.nowMs });
    this.reach(id === undefined ? 'saved card declined' : 'saved card charged');
    const money = { atMs: world.nowMs, amountKobo: totalKobo, currency: 'NGN' };
    if (id !== undefined)
      this.taken.set(reference, { id, ...money, isOutdated: isOutdated(0, openedAtMs, world.nowMs) });
  }

  private pay(
    reference: string,
    wallet: number,
    { deltaKobo, currency, reversedAfterMs }: NonNullable<PlannedOrder['pays']>,
  ): void {
    const { world } = this;
    const id = this.paystack.pay(reference, deltaKobo, currency);
    if (id === undefined) return;
    const order = this.orders.find((one) => one.reference === reference);
    const asked = this.paystack.askedKobo(reference);
    if (order && asked !== undefined && order.totals.includes(asked)) order.totalKobo = asked;
    const money = { id, atMs: world.nowMs, amountKobo: (order?.totalKobo ?? 0) + deltaKobo, currency };
    const reversedAtMs = reversedAfterMs && world.nowMs + reversedAfterMs;
    const times = [order?.openedAtMs ?? 0, world.nowMs] as const;
    const isLate = isOutdated(wallet, ...times);
    this.taken.set(reference, { ...money, isOutdated: isLate, ...(reversedAtMs && { reversedAtMs }) });
    if (times[1] > times[0] + DAY_MS) this.reach(isLate ? 'paid at an outdated price' : 'paid late');
    if (reversedAtMs)
      world.at(reversedAtMs, () => {
        this.paystack.reverse(reference);
        this.start(() => this.receiveWebhook(reference, false, 'charge.dispute.resolve'));
      });
    this.reach('paid');
    if (order && order.openedAtMs < VAT_RISES_MS && world.nowMs >= VAT_RISES_MS)
      this.reach('paid at another rate of VAT');
  }

  private async receiveWebhook(reference: string, isForged: boolean, kind = 'charge.success'): Promise<void> {
    const body = Buffer.from(JSON.stringify({ event: kind, data: { reference } }));
    const signature = paystackSignature(body, isForged ? FORGED_KEY : KEYS.live);
    const event = {
      body: body.toString('base64'),
      isBase64Encoded: true,
      multiValueHeaders: { [SIGNATURE_HEADER]: [signature] },
      requestContext: { identity: { sourceIp: '192.0.2.1' } },
    } as unknown as APIGatewayProxyEvent;
    const sent: SentWebhook = { isForged };
    this.webhooks.push(sent);
    const response = await this.as('paystack', (office) =>
      receivePaystackWebhook(office, async () => KEYS)({ line: {} } as ApiContext, event),
    ).catch((error: unknown) => error);
    sent.status = response instanceof ServiceError ? entryOf(response.code).status : 200;
    if (response instanceof Error && !(response instanceof ServiceError)) sent.status = 500;
  }

  private async charge(wallet: number, cost: number): Promise<void> {
    const process = new Process(this.world, this.random);
    const [client, onceClient] = [this.database.clientOf(process, 3), this.database.clientOf(process, 1)];
    const run = functionInstance(process, realTables(client, onceClient), () => ({ current: 'pepper' }));
    this.count += 1;
    const requestId = `req_${String(this.count).padStart(12, '0')}`;
    const response = await run({
      wallet: this.walletOf(wallet),
      shards: this.shardsOf(wallet),
      requestId,
      operationId: `OP${requestId.slice(-6)}`,
      requestedAtMs: this.world.nowMs,
      number: '70123456789',
      cost,
      registry: { latencyMs: this.random.between(50, 3_000), outcome: 'found' },
    });
    this.reach(`charge ${response.code}`);
  }

  private async act({ wallet: index, act, spell, behindMs }: PlannedAct): Promise<void> {
    const wallet = this.walletOf(index);
    this.count += 1;
    const reference = `ACT-${this.count}`;
    const month = MONTHS[spell];
    if (act.kind === 'close') await this.close(month, [wallet]);
    if (act.kind === 'reopen')
      await this.as('ada', (office) => reopenMonth({ wallet, month, reason: 'late invoice' }, office));
    if (act.kind === 'refund') await this.refund(wallet, act, reference);
    if (act.kind === 'take-back') await this.takeBack(wallet, act.share, reference);
    if (act.kind === 'resolve-reversal') await this.resolveReversals(wallet, act.as, behindMs);
    const book = (office: FinanceOffice) => this.book(index, act, reference, office);
    if (['transfer', 'promotion', 'correction'].includes(act.kind)) await this.as('ada', book, behindMs);
    this.reach(behindMs === undefined ? act.kind : `${act.kind} of a late clock`);
  }

  private async book(
    index: number,
    act: FinanceAct,
    reference: string,
    office: FinanceOffice,
  ): Promise<void> {
    const wallet = this.walletOf(index);
    if (!('credits' in act)) return;
    const { credits } = act;
    if (act.kind === 'transfer')
      await (act.order
        ? this.openTransfer({ ...act.order, wallet, credits, reference }, office)
        : creditTransfer({ wallet, credits, reference, reason: '' }, office));
    if (act.kind !== 'promotion' && act.kind !== 'correction') return;
    const kind = act.kind === 'promotion' ? 'TOP_UP' : 'CORRECTION';
    const order = { reference, kind, amount: act.credits, actor: 'ada', reason: 'simulation' } as const;
    const expiresAfterMs = act.kind === 'promotion' ? act.expiresAfterMs : undefined;
    const expiresAt = expiresAfterMs && new Date(this.world.nowMs + expiresAfterMs).toISOString();
    const terms = expiresAt ? { kind: 'promotional' as const, expiresAt } : undefined;
    await creditWithLot(wallet, this.shardsOf(index), order, office, office.clock, terms);
  }

  /** Opens the order of a bank transfer, whose money arrives later. */
  private async openTransfer(
    { wallet, credits, reference, validMs, paidAfterMs }: PlannedTransfer,
    office: FinanceOffice,
  ): Promise<void> {
    const quote = await quoteTopUp(wallet.organisationId, credits, office);
    if (quote.kind !== 'quoted') return;
    const { buyer: _, ...price } = quote.price;
    const request = { wallet, credits, openedBy: 'ada' };
    // As if it had been opened almost a day ago.
    const openedAtMs = office.clock.nowMs() + validMs - PAYABLE_MS;
    const opened = newOrder(request, price, { reference, method: 'TRANSFER' }, openedAtMs);
    await office.orders.insertOrder({ ...opened, dueAt: opened.expiresAt });
    const pay = async (late: FinanceOffice) => {
      const { order } = await creditTransfer({ wallet, credits, reference, reason: '' }, late);
      this.reach(order.totalKobo === opened.totalKobo ? 'transfer at its total' : 'transfer quoted again');
    };
    this.world.at(this.world.nowMs + paidAfterMs, () => this.start(() => this.as('ada', pay)));
  }

  private async refund(
    wallet: WalletId,
    { lot: position, share, again }: Extract<FinanceAct, { kind: 'refund' }>,
    reference: string,
  ): Promise<void> {
    const lots = await this.as('ada', ({ lots: table }) => table.listLots(wallet));
    const paid = lots.filter(({ kind }) => kind === 'paid');
    const lot = paid[position % Math.max(1, paid.length)];
    const { invoice } = lot ?? {};
    if (!lot || !invoice) return;
    const credits = Math.max(1, Math.round(lot.remaining * share));
    const ask = (asked: string) => {
      const request = { wallet, invoice, credits, reference: asked, reason: 'asked', actor: 'ada' };
      this.refunds.push({
        wallet: nameOf(wallet),
        reference: asked,
        startedAfter: this.journal.length,
      });
      return this.as('ada', (office) => refundCredits(request, office)).then(() => this.reach('refunded'));
    };
    if (again !== 'no') this.start(() => ask(again === 'same' ? reference : `${reference}-B`));
    await ask(reference);
  }

  /** Takes back unspent credits whose payments were reversed. */
  private async takeBack(wallet: WalletId, share: number, reference: string): Promise<void> {
    await this.as('ada', async (office) => {
      const positions = await lotPositions(wallet, office, office.clock.nowMs());
      for (const [index, { problem, lot = '', invoice = '' }] of (
        await reversedOf(wallet, office)
      ).entries()) {
        const credits = Math.ceil((positions.get(lot) ?? 0) * share);
        if (problem === undefined || credits === 0) continue;
        const asked = `${reference}-${index}`;
        const request = { wallet, invoice, credits, reference: asked, isPaidBack: true };
        this.refunds.push({ wallet: nameOf(wallet), reference: asked, startedAfter: this.journal.length });
        await refundCredits({ ...request, reason: 'chargeback', actor: 'ada' }, office);
        this.reach('credits of a reversed payment taken back');
      }
    });
  }

  private async resolveReversals(
    wallet: WalletId,
    as: 'loss' | 'receivable',
    behindMs: number | undefined,
  ): Promise<void> {
    const book = async (office: FinanceOffice) => {
      for (const order of await reversedOf(wallet, office)) {
        const open = await findOpenReversal(order, office);
        if (!open) continue;
        const request = { as, totalKobo: open.totalKobo, reason: 'chargeback', actor: 'ada' };
        await resolveReversal(order, request, { ...office, orders: office.operatorsOrders });
        this.reach('reversal booked');
      }
    };
    await this.as('ada', book, behindMs);
  }

  private async close(month: string, wallets: readonly WalletId[]): Promise<void> {
    const scopes = wallets.map((wallet) => ({
      wallet,
      shards: this.shardsOf(this.wallets.indexOf(wallet)),
      createdAt: CREATED_AT,
    }));
    const { closed, open } = await this.as('ada', (office) =>
      closeMonths({ month, wallets: scopes, actor: 'ada' }, office),
    );
    if (closed.length > 0) this.reach('month closed');
    if (open.length > 0) this.reach('month not closed');
  }

  /** Runs the scheduled functions once. */
  private sweep(): void {
    const ledger = new Process(this.world, this.random);
    const tables = realTables(this.database.clientOf(ledger, 3), this.database.clientOf(ledger, 1));
    this.start(() => ledger.run(() => sweepHolds(tables, ledger.clock, () => undefined)));
    this.start(() =>
      this.as('paystack', async (office) => {
        const payments = {
          topUps: office,
          refunds: office,
          review: office,
          automatic: { ...office, topUps: office },
        };
        const { counts } = await runPayments({ expiry: office, payments }, () => undefined);
        for (const [name, count] of Object.entries(counts)) if (count > 0) this.reach(`swept ${name}`);
      }),
    );
  }

  private shardsOf(index: number): number {
    return this.plan.wallets[index]?.shards ?? 1;
  }

  private walletOf(index: number): WalletId {
    const wallet = this.wallets[index];
    if (!wallet) throw new Error(`The plan has no wallet ${index}.`);
    return wallet;
  }
}

/** Returns the orders of a wallet whose payments were reversed. */
async function reversedOf(wallet: WalletId, { orders }: FinanceOffice): Promise<TopUpOrder[]> {
  const listed = await orders.listOrders(wallet);
  const read = await Promise.all(listed.map(({ env, reference }) => orders.getOrder(env, reference)));
  return read.flatMap((order) => (order?.reversedAt === undefined ? [] : [order]));
}

const koboAt = (wallet: number, ms: number) =>
  KOBO_PER_CREDIT + (wallet > 0 ? 1_111 : ms < PRICE_RISES_MS ? 0 : 500);

/** The price has risen, and the order had expired more than a day before it was paid. */
const isOutdated = (wallet: number, openedAtMs: number, paidAtMs: number) =>
  paidAtMs >= openedAtMs + PAYABLE_MS + DAY_MS && koboAt(wallet, openedAtMs) < koboAt(wallet, paidAtMs);

const nameOf = ({ env, organisationId }: WalletId) => `${env}#${organisationId}`;
