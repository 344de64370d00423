import { sweepHolds } from '../../shared/ledger/sweep.ts';
import { creditWallet, evenOut } from '../../shared/ledger/top-up.ts';
import type { ClientCall, Evidence, Payment } from './checker/evidence.ts';
import type { Plan, PlannedCall, PlannedPayment } from './plan.ts';
import { functionInstance, type LedgerResponse, type RunRequest } from './request.ts';
import { type Fault, Network, NO_FAULTS } from './simulation/network.ts';
import { Process } from './simulation/process.ts';
import { type Random, seededRandom } from './simulation/random.ts';
import { World } from './simulation/world.ts';
import type { Database, OpenDatabase, Tables } from './storage/database.ts';
import { Journal } from './storage/journal.ts';

/** Runs one plan, and brings back what the rows and the clients tell of it. */

export type Counts = Record<Fault | 'sends', number>;

const START_MS = Date.UTC(2026, 0, 31, 23, 58);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** API Gateway's own limit: after it the client is told so, whatever the function does. */
const GATEWAY_MS = 29_000;

export async function runHistory(
  plan: Plan,
  open: OpenDatabase,
  counts: Counts,
): Promise<Omit<Evidence, 'maxHolds'>> {
  const history = new History(plan, counts);
  await history.open(open);
  try {
    return await history.run();
  } finally {
    await history.close();
  }
}

class History {
  private readonly plan: Plan;
  private readonly random: Random;
  private readonly world = new World(START_MS);
  private readonly journal = new Journal(this.world);
  private readonly network: Network;
  private readonly calls: ClientCall[] = [];
  private readonly payments: Payment[] = [];
  private readonly instances: { process: Process; run: RunRequest }[] = [];
  private readonly shards: number[];
  private drawnIds = 0;
  private database: Database | undefined;

  constructor(plan: Plan, counts: Counts) {
    this.plan = plan;
    this.random = seededRandom(plan.seed);
    this.network = new Network(this.random, NO_FAULTS, counts);
    this.shards = plan.wallets.map(({ shards }) => shards);
  }

  async open(open: OpenDatabase): Promise<void> {
    this.database = await open(this.network, this.journal);
  }
  async close(): Promise<void> {
    await this.database?.close();
  }

  async run(): Promise<Omit<Evidence, 'maxHolds'>> {
    const { plan, world } = this;
    this.start(() => this.openWallets());
    await world.run(START_MS + MINUTE_MS);
    const beginMs = world.nowMs;
    this.network.rates = plan.rates;
    this.schedule(beginMs);
    await world.run(beginMs + plan.calmAtMs);
    this.network.rates = NO_FAULTS;
    const calmAfter = this.journal.length;
    await this.sweepEveryMinute(3);
    const settledAfter = this.journal.length;
    await this.finish();
    const wallets = plan.wallets.map(({ env, organisationId }) => `${env}#${organisationId}`);
    const { calls, payments } = this;
    return { wallets, commits: this.journal.commits, calls, payments, calmAfter, settledAfter };
  }

  /** Everything that is still on its way arrives, clients of the next month included; then rows expire. */
  private async finish(): Promise<void> {
    const { world } = this;
    for (let last = world.lastMs(); last > world.nowMs; last = world.lastMs()) {
      await world.run(last);
      if (this.random.chance(0.5)) await this.expire(0);
    }
    // A hold of the last instant expires before the second.
    await this.sweepEveryMinute(2);
    await this.expire(61 * DAY_MS);
  }

  private async expire(laterMs: number): Promise<void> {
    await this.world.run(this.world.nowMs + laterMs);
    await this.database?.expire(this.world.nowMs);
  }

  private schedule(beginMs: number): void {
    const { plan, world } = this;
    for (const call of plan.calls) world.at(beginMs + call.atMs, () => this.start(() => this.client(call)));
    for (const payment of plan.payments)
      world.at(beginMs + payment.atMs, () => this.start(() => this.pay(payment)));
    for (const { atMs, skewMs } of plan.sweeps) world.at(beginMs + atMs, () => this.sweep(skewMs));
    for (const atMs of plan.moves) world.at(beginMs + atMs, () => this.start(() => this.move()));
    if (plan.raiseAtMs !== undefined)
      world.at(beginMs + plan.raiseAtMs, () => this.start(() => this.raise()));
  }

  /** Lets something begin now; what it throws ends only itself. */
  private start(act: () => Promise<unknown>): void {
    act().catch((error: unknown) => {
      if (error instanceof TypeError || error instanceof ReferenceError) throw error;
    });
  }

  private async openWallets(): Promise<void> {
    const { process, tables } = this.worker();
    for (const wallet of this.plan.wallets) {
      for (let shard = 0; shard < wallet.shards; shard += 1) await tables.shards.createShard(wallet, shard);
      if (wallet.credits === 0) continue;
      const order = { reference: 'opening', amount: wallet.credits, kind: 'TOP_UP' as const };
      await this.order(wallet, order, tables, process, wallet.shards);
    }
  }

  /** One client: sends, and sends again, as real ones do. */
  private async client(call: PlannedCall): Promise<void> {
    let { retries, repeats } = call;
    for (let sends = 0; ; sends += 1) {
      const answer = await this.send(call, sends);
      const isFinal = answer?.hasData || answer?.code === 'IDEMPOTENCY_KEY_REUSED';
      if (isFinal ? repeats === 0 : retries === 0) return;
      if (isFinal) repeats -= 1;
      else retries -= 1;
      const patience =
        answer?.code === 'REQUEST_IN_PROGRESS' ? Math.min(call.retryAfterMs, 5_000) : call.retryAfterMs;
      await this.world.sleep(this.random.between(1, patience));
    }
  }

  /** Undefined where no answer came in the gateway's time. */
  private send(planned: PlannedCall, sends: number): Promise<LedgerResponse | undefined> {
    const { world, journal, plan } = this;
    this.drawnIds += 1;
    const requestId = `req_${String(this.drawnIds).padStart(12, '0')}`;
    const wallet = plan.wallets[planned.wallet] ?? plan.wallets[0];
    const shards = this.shards[planned.wallet] ?? 1;
    if (!wallet) throw new Error('A plan without a wallet.');
    const { cost, number, key, registry } = planned;
    const call: ClientCall = {
      requestId,
      wallet: `${wallet.env}#${wallet.organisationId}`,
      key: key ?? '',
      body: number,
      cost,
      shards,
      sentAtMs: world.nowMs,
      sentAfter: journal.length,
    };
    this.calls.push(call);
    const request = {
      wallet: { env: wallet.env, organisationId: wallet.organisationId },
      shards,
      requestId,
      operationId: `OP${requestId.slice(-6)}`,
      requestedAtMs: world.nowMs,
      number,
      cost,
      ...(key && { key }),
      registry: registry[Math.min(sends, registry.length - 1)] ?? registry[0],
    };
    return new Promise((answered) => {
      world.at(world.nowMs + GATEWAY_MS, () => answered(undefined));
      const { process, run } = this.instance();
      const receive = (answer: LedgerResponse) => {
        // An answer leaves when its process runs; a frozen one answers late, to nobody, and is still looked at.
        process.resume(world.nowMs, () => {
          call.answer = { ...answer, atMs: world.nowMs, after: journal.length };
          answered(answer);
        });
      };
      const begin = world.nowMs + (this.random.chance(0.1) ? this.random.between(1, 20_000) : 0);
      process.resume(begin, () => this.start(() => run(request).then(receive)));
    });
  }

  private instance() {
    const place = this.random.between(0, this.plan.instances - 1);
    const current = this.instances[place];
    if (current?.process.isAlive) return current;
    const { process, tables } = this.worker();
    const started = { process, run: functionInstance(process, tables) };
    this.instances[place] = started;
    return started;
  }

  private worker(skewMs = 0): { process: Process; tables: Tables } {
    const process = new Process(this.world, this.random, skewMs);
    if (!this.database) throw new Error('The database is not open.');
    return { process, tables: this.database.tables(process) };
  }

  /** A payer's system repeats its order until it is confirmed. */
  private async pay({ wallet: place, reference, amount }: PlannedPayment): Promise<void> {
    const wallet = this.plan.wallets[place];
    if (!wallet) return;
    for (let tries = 0; tries < 4; tries += 1) {
      const { process, tables } = this.worker();
      const kind = amount > 0 ? ('TOP_UP' as const) : ('CORRECTION' as const);
      const done = this.order(wallet, { reference, amount, kind }, tables, process, this.shards[place] ?? 1);
      const isDone = await Promise.race([done, this.world.sleep(30_000).then(() => false)]).catch(
        () => false,
      );
      if (isDone) return;
    }
  }

  private async order(
    { env, organisationId }: Plan['wallets'][number],
    order: { reference: string; amount: number; kind: 'TOP_UP' | 'CORRECTION' },
    tables: Tables,
    process: Process,
    shards: number,
  ): Promise<true> {
    const { reference, amount } = order;
    const payment = { wallet: `${env}#${organisationId}`, reference, amount, isConfirmed: false };
    this.payments.push(payment);
    const full = { ...order, actor: 'operator', reason: 'simulation' };
    await process.run(() => creditWallet({ env, organisationId }, shards, full, tables, process.tools));
    payment.isConfirmed = true;
    return true;
  }

  private async move(): Promise<void> {
    const { process, tables } = this.worker();
    const wallet = this.plan.wallets[0];
    if (wallet) await evenOut(wallet, this.shards[0] ?? 1, tables.shards, process.tools);
  }

  /** One more shard for the first wallet: made, then told to new requests, then filled once old ones are over. */
  private async raise(): Promise<void> {
    const { process, tables } = this.worker();
    const wallet = this.plan.wallets[0];
    const shards = this.shards[0];
    if (!wallet || !shards) return;
    await tables.shards.createShard(wallet, shards);
    this.shards[0] = shards + 1;
    await process.tools.pause(30_000);
    await evenOut(wallet, shards + 1, tables.shards, process.tools);
  }

  private sweep(skewMs: number): void {
    const { process, tables } = this.worker(skewMs);
    this.start(() => process.run(() => sweepHolds(tables, process.tools, () => undefined)));
  }

  private async sweepEveryMinute(times: number): Promise<void> {
    for (let done = 0; done < times; done += 1) {
      this.sweep(0);
      await this.world.run(this.world.nowMs + MINUTE_MS);
    }
  }
}
