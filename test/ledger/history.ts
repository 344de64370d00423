import { DAY_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import type { Secret } from '../../shared/core/secrets.ts';
import { eraseNumber } from '../../shared/ledger/erase.ts';
import { sweepHolds } from '../../shared/ledger/sweep.ts';
import { creditWallet, evenOut } from '../../shared/ledger/top-up.ts';
import { numberTags } from '../../shared/verifications/number-tag.ts';
import type { ClientCall, Erasure, Evidence, Payment } from './checker/evidence.ts';
import type { Plan, PlannedCall, PlannedErasure, PlannedPayment } from './plan.ts';
import { functionInstance, type LedgerResponse, type RunRequest } from './request.ts';
import { type Fault, Network, NO_FAULTS } from './simulation/network.ts';
import { Process } from './simulation/process.ts';
import { type Random, seededRandom } from './simulation/random.ts';
import { World } from './simulation/world.ts';
import type { Database, OpenDatabase, Tables } from './storage/database.ts';
import { Journal } from './storage/journal.ts';

/** How many calls were sent to the database, and how often each fault occurred. */
export type Counts = Record<Fault | 'sends', number>;

const START_MS = Date.UTC(2026, 0, 31, 23, 58);
/** API Gateway's timeout. The client then receives an error, even if the function still runs. */
const GATEWAY_TIMEOUT_MS = 29_000;

/** Runs one plan. Returns the rows and responses as evidence for the checker. */
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
  private readonly erasures: Erasure[] = [];
  private rotatedAtMs = Number.POSITIVE_INFINITY;
  private readonly instances: { process: Process; run: RunRequest }[] = [];
  private readonly shards: number[];
  private requestCount = 0;
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
    const startMs = world.nowMs;
    this.network.rates = plan.rates;
    this.network.beginBlackouts(plan.blackouts, startMs);
    if (plan.rotateAtMs !== undefined) this.rotatedAtMs = startMs + plan.rotateAtMs;
    this.schedule(startMs);
    await world.run(startMs + plan.calmAtMs);
    this.network.calm();
    const calmAfter = this.journal.length;
    // All erasures run again, because faults may have interrupted them.
    for (const erasure of plan.erasures) this.start(() => this.erase(erasure));
    await this.sweepEveryMinute(3);
    const settledAfter = this.journal.length;
    await this.finish();
    const wallets = plan.wallets.map(({ env, organisationId }) => `${env}#${organisationId}`);
    const { calls, payments, erasures } = this;
    return { wallets, commits: this.journal.commits, calls, payments, erasures, calmAfter, settledAfter };
  }

  /** Runs until every delayed write and every client is done, including clients that wait a month. Then rows expire. */
  private async finish(): Promise<void> {
    const { world } = this;
    for (let last = world.lastMs(); last > world.nowMs; last = world.lastMs()) {
      await world.run(last);
      if (this.random.chance(0.5)) await this.expire(0);
    }
    // A hold placed at the last moment expires before the second sweep.
    await this.sweepEveryMinute(2);
    await this.expire(61 * DAY_MS);
  }

  private async expire(laterMs: number): Promise<void> {
    await this.world.run(this.world.nowMs + laterMs);
    await this.database?.expire(this.world.nowMs);
  }

  private schedule(startMs: number): void {
    const { plan, world } = this;
    for (const call of plan.calls) world.at(startMs + call.atMs, () => this.start(() => this.client(call)));
    for (const payment of plan.payments)
      world.at(startMs + payment.atMs, () => this.start(() => this.pay(payment)));
    for (const erasure of plan.erasures)
      world.at(startMs + erasure.atMs, () => this.start(() => this.erase(erasure)));
    for (const { atMs, skewMs } of plan.sweeps) world.at(startMs + atMs, () => this.sweep(skewMs));
    for (const atMs of plan.transfers) world.at(startMs + atMs, () => this.start(() => this.evenOut()));
    if (plan.addShardAtMs !== undefined)
      world.at(startMs + plan.addShardAtMs, () => this.start(() => this.addShard()));
  }

  /** Starts an action. An error ends only that action, unless it is a programming error. */
  private start(action: () => Promise<unknown>): void {
    action().catch((error: unknown) => {
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

  /** Runs one client, which retries failed requests and repeats successful ones. */
  private async client(call: PlannedCall): Promise<void> {
    let { retries, repeats } = call;
    for (let sends = 0; ; sends += 1) {
      const response = await this.send(call, sends);
      const isFinal = response?.hasData || response?.code === 'IDEMPOTENCY_KEY_REUSED';
      if (isFinal ? repeats === 0 : retries === 0) return;
      if (isFinal) repeats -= 1;
      else retries -= 1;
      const retryAfterMs =
        response?.code === 'REQUEST_IN_PROGRESS' ? Math.min(call.retryAfterMs, 5_000) : call.retryAfterMs;
      await this.world.sleep(this.random.between(1, retryAfterMs));
    }
  }

  /** Sends one request. Returns undefined if no response arrived before the gateway's timeout. */
  private send(planned: PlannedCall, sends: number): Promise<LedgerResponse | undefined> {
    const { world, journal, plan } = this;
    this.requestCount += 1;
    const requestId = `req_${String(this.requestCount).padStart(12, '0')}`;
    const wallet = plan.wallets[planned.wallet] ?? plan.wallets[0];
    const shards = this.shards[planned.wallet] ?? 1;
    if (!wallet) throw new Error('The plan has no wallet.');
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
    return new Promise((resolve) => {
      world.at(world.nowMs + GATEWAY_TIMEOUT_MS, () => resolve(undefined));
      const { process, run } = this.instance();
      const receive = (response: LedgerResponse) => {
        // A frozen process may respond after the gateway's timeout. The checker checks that response too.
        process.resume(world.nowMs, () => {
          call.response = { ...response, atMs: world.nowMs, after: journal.length };
          resolve(response);
        });
      };
      const startMs = planned.startMs ?? (this.random.chance(0.1) ? this.random.between(1, 20_000) : 0);
      process.resume(world.nowMs + startMs, () => this.start(() => run(request).then(receive)));
    });
  }

  private instance() {
    const index = this.random.between(0, this.plan.instances - 1);
    const current = this.instances[index];
    if (current?.process.isAlive) return current;
    const { process, tables } = this.worker(this.plan.skewsMs[index], index);
    const started = { process, run: functionInstance(process, tables, () => this.pepper()) };
    this.instances[index] = started;
    return started;
  }

  private worker(skewMs = 0, instance?: number): { process: Process; tables: Tables } {
    const process = new Process(this.world, this.random, skewMs, instance);
    if (!this.database) throw new Error('The database is not open.');
    return { process, tables: this.database.tables(process) };
  }

  /** Sends a payment until it is confirmed, at most 4 times, as a payer's system does. */
  private async pay({ wallet: walletIndex, reference, amount }: PlannedPayment): Promise<void> {
    const wallet = this.plan.wallets[walletIndex];
    if (!wallet) return;
    for (let attempts = 0; attempts < 4; attempts += 1) {
      const { process, tables } = this.worker();
      const kind = amount > 0 ? ('TOP_UP' as const) : ('CORRECTION' as const);
      const done = this.order(
        wallet,
        { reference, amount, kind },
        tables,
        process,
        this.shards[walletIndex] ?? 1,
      );
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
    await process.run(() => creditWallet({ env, organisationId }, shards, full, tables, process.clock));
    payment.isConfirmed = true;
    return true;
  }

  private pepper(): Secret {
    return this.world.nowMs < this.rotatedAtMs
      ? { current: 'first pepper' }
      : { current: 'second pepper', previous: 'first pepper' };
  }

  private async erase({ wallet: walletIndex, number, skewMs }: PlannedErasure): Promise<void> {
    const planned = this.plan.wallets[walletIndex];
    if (!planned) return;
    const { env, organisationId } = planned;
    const { process, tables } = this.worker(skewMs);
    const tags = numberTags(this.pepper(), { env, organisationId }, 'NIN', number);
    const startedMs = this.world.nowMs;
    const erasure: Erasure = { wallet: `${env}#${organisationId}`, body: number, tags, startedMs };
    this.erasures.push(erasure);
    await process.run(() =>
      eraseNumber(
        { env, organisationId },
        tags,
        { ...tables, withdrawSlip: async () => false },
        process.clock,
      ),
    );
    erasure.completedAfter = this.journal.length;
  }

  private async evenOut(): Promise<void> {
    const { process, tables } = this.worker();
    const wallet = this.plan.wallets[0];
    if (wallet) await evenOut(wallet, this.shards[0] ?? 1, tables.shards, process.clock);
  }

  /**
   * Adds a shard to the first wallet. New requests use it at once. It receives credit once earlier requests have ended.
   */
  private async addShard(): Promise<void> {
    const { process, tables } = this.worker();
    const wallet = this.plan.wallets[0];
    const shards = this.shards[0];
    if (!wallet || !shards) return;
    await tables.shards.createShard(wallet, shards);
    this.shards[0] = shards + 1;
    await process.clock.pause(30_000);
    await evenOut(wallet, shards + 1, tables.shards, process.clock);
  }

  private sweep(skewMs: number): void {
    const { process, tables } = this.worker(skewMs);
    this.start(() => process.run(() => sweepHolds(tables, process.clock, () => undefined)));
  }

  private async sweepEveryMinute(times: number): Promise<void> {
    for (let done = 0; done < times; done += 1) {
      this.sweep(0);
      await this.world.run(this.world.nowMs + MINUTE_MS);
    }
  }
}
