import { DAY_MS, HOUR_MS } from '../../shared/core/clock.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import { logger } from '../../shared/core/logger.ts';
import { metricLog } from '../../shared/core/metrics.ts';
import type { BusEvent } from '../../shared/events/received-event.ts';
import { SERVICE_NAMES } from '../../shared/verifications/services.ts';
import { attemptTable } from '../../shared/webhooks/attempt-table.ts';
import { deliveryTable } from '../../shared/webhooks/delivery-table.ts';
import { endpointTable } from '../../shared/webhooks/endpoint-table.ts';
import { EVENT_TYPES } from '../../shared/webhooks/event-type.ts';
import { handleMessages } from '../../shared/webhooks/handle-messages.ts';
import { leaseTable } from '../../shared/webhooks/lease-table.ts';
import * as manage from '../../shared/webhooks/manage-endpoints.ts';
import {
  listDeliveries,
  replayDeliveries,
  resendDelivery,
  sendTest,
} from '../../shared/webhooks/resend-deliveries.ts';
import { startWebhooks } from '../../shared/webhooks/start-webhooks.ts';
import type { Counts } from '../ledger/history.ts';
import { Network, NO_FAULTS } from '../ledger/simulation/network.ts';
import { Process } from '../ledger/simulation/process.ts';
import { type Random, seededRandom } from '../ledger/simulation/random.ts';
import { World } from '../ledger/simulation/world.ts';
import { Journal } from '../ledger/storage/journal.ts';
import { type MemoryDatabase, openMemory } from '../ledger/storage/memory-tables.ts';
import { CANARIES, type SeenEndpoint, type SeenEvent, type WebhookEvidence } from './checker/evidence.ts';
import {
  ACTIVE_MS,
  type Behaviour,
  type Owner,
  type PlannedChange,
  type PlannedEvent,
  type WebhookPlan,
} from './plan.ts';
import { Receivers } from './receivers.ts';
import { seedIds } from './simulated-modules.ts';
import { SimulatedQueue } from './simulated-queue.ts';

const START_MS = Date.UTC(2026, 10, 25);
const MASTERS = { current: 'master secret of the simulation' };
/** When Lambda runs an asynchronous invocation: at once, and again at these times if no run has completed. */
const RUNS_AFTER_MS = [0, 60_000, 180_000] as const;
const INSTANCES = 8;
const BATCH = 3;

/** Runs one plan. Returns the evidence for the checker, and how often the history reached each state and action. */
export async function runWebhookHistory(
  plan: WebhookPlan,
  counts: Counts,
): Promise<{ evidence: WebhookEvidence; reached: Map<string, number> }> {
  return new WebhookHistory(plan, counts).run();
}

const nameOf = ({ organisation, isLive }: Owner) => `${isLive ? 'live' : 'test'}#ORG-${organisation}`;
const walletOf = ({ organisation, isLive }: Owner): WalletId => ({
  env: isLive ? 'live' : 'test',
  organisationId: `ORG-${organisation}`,
});

class WebhookHistory {
  private readonly plan: WebhookPlan;
  private readonly random: Random;
  private readonly world = new World(START_MS);
  private readonly journal = new Journal(this.world);
  private readonly network: Network;
  private readonly database: MemoryDatabase;
  private readonly receivers: Receivers;
  private readonly queue: SimulatedQueue;
  private readonly events: SeenEvent[] = [];
  private readonly endpoints: SeenEndpoint[] = [];
  /** The number of actions without a response, by the endpoint or delivery that they change. */
  private readonly open = new Map<string, number>();
  private readonly tests: { id: string; endpoint: string }[] = [];
  private readonly logs: string[] = [];
  private readonly reached = new Map<string, number>();
  private count = 0;

  constructor(plan: WebhookPlan, counts: Counts) {
    this.plan = plan;
    this.random = seededRandom(plan.seed);
    // IDs have their own random sequence, so that generating more or fewer of them changes nothing else.
    seedIds(seededRandom(plan.seed + 1));
    this.network = new Network(this.random, NO_FAULTS, counts);
    this.database = openMemory(this.network, this.journal);
    const { random, world } = this;
    this.receivers = new Receivers({
      random,
      killed: plan.killedRequests,
      behaviourAt: (url, nowMs) => this.behaviourAt(url, nowMs),
    });
    this.queue = new SimulatedQueue({
      world,
      random,
      instances: INSTANCES,
      batch: BATCH,
      duplicates: plan.duplicates,
      run: (event) =>
        this.as((process, deps) => handleMessages(event, { ...deps, ...this.delivering(process) })),
    });
  }

  async run() {
    const { plan, world, network } = this;
    this.captureLogs();
    for (const [index] of plan.endpoints.entries()) this.start(() => this.add(index));
    await world.run(START_MS + 60_000);
    network.rates = plan.rates;
    for (const event of plan.events) this.at(event.atMs, () => this.publish(event));
    for (const change of plan.changes) this.at(change.atMs, () => this.change(change));
    await world.run(START_MS + ACTIVE_MS + HOUR_MS);
    network.calm();
    for (const event of this.events.filter(({ completedAtMs }) => completedAtMs === undefined))
      this.start(() => this.startAgain(event));
    // A resend at the end of the first day may take four more days.
    await world.run(START_MS + 8 * DAY_MS);
    return { evidence: this.evidence(), reached: this.reached };
  }

  private evidence(): WebhookEvidence {
    const rows = this.journal.rows().flatMap(({ pk, sk, row }) => (row ? [{ ...row, pk, sk }] : []));
    for (const row of rows)
      if (String(row.sk).startsWith('DELIVERY#')) {
        const { state, reason = '' } = row as Record<string, unknown>;
        this.reach(`${state} ${reason}`.trim());
      }
    const { plan, events, tests, logs, receivers, queue, journal } = this;
    const interrupted = new Set([...this.open].flatMap(([name, count]) => (count > 0 ? [name] : [])));
    // Some endpoints could not be added.
    const endpoints = this.endpoints.filter((one) => one !== undefined);
    return {
      isCalm: plan.rates === NO_FAULTS && plan.killedRequests === 0,
      endMs: this.world.nowMs,
      events,
      endpoints,
      posts: receivers.posts,
      rows,
      unconditionalWrites: journal.commits.filter(({ isUnconditional }) => isUnconditional).length,
      deadLetters: queue.deadLetters.length,
      interrupted,
      tests,
      logs,
    };
  }

  private at(afterMs: number, action: () => Promise<unknown>): void {
    this.world.at(START_MS + afterMs, () => this.start(action));
  }

  /** Starts an action. An error ends only that action, unless it is a programming error. */
  private start(action: () => Promise<unknown>): void {
    action().catch((error: unknown) => {
      if (error instanceof TypeError || error instanceof ReferenceError) throw error;
      this.reach(`rejected: ${Object(error).code ?? Object(error).name}`);
    });
  }

  private reach(what: string): void {
    this.reached.set(what, (this.reached.get(what) ?? 0) + 1);
  }

  private as<T>(
    action: (process: Process, deps: ReturnType<WebhookHistory['deps']>) => Promise<T>,
  ): Promise<T> {
    const process = new Process(this.world, this.random);
    return process.run(() => action(process, this.deps(process)));
  }

  private deps(process: Process) {
    const client = this.database.clientOf(process, 3);
    const resolve = (_: string, __: unknown, done: (error: null, found: []) => void) => done(null, []);
    return {
      endpoints: endpointTable(client, 'Console'),
      deliveries: deliveryTable(client, 'Console'),
      masters: async () => MASTERS,
      nowMs: process.clock.nowMs,
      // Receivers are on this machine, as in the local stage, so that no name is looked up.
      rules: { allowLocal: true, resolve },
      queue: {
        sendMessages: (messages: Parameters<SimulatedQueue['send']>[0][]) =>
          this.call(process, () => {
            for (const message of messages) this.queue.send(message);
          }),
        hideMessage: (handle: string, seconds: number) =>
          this.call(process, () => this.queue.hide(handle, seconds)),
        sendBody: (body: string, { delaySeconds = 0 } = {}) =>
          this.call(process, () => this.queue.sendBody(body, delaySeconds * 1000)),
      },
      failed: { sendBody: (body: string) => this.call(process, () => this.queue.setAside(body)) },
    };
  }

  private delivering(process: Process) {
    const client = this.database.clientOf(process, 3);
    return {
      attempts: attemptTable(client, 'Console'),
      leases: leaseTable(client, 'Console'),
      post: (post: Parameters<Receivers['send']>[1]) => this.receivers.send(process, post),
      random: process.clock.random,
    };
  }

  /** Makes a call to SQS. The call or its response may be lost, with the plan's probabilities for database calls. */
  private call(process: Process, apply: () => void): Promise<void> {
    return this.network.send(process, {
      isWrite: true,
      table: 'Wallets',
      items: 1,
      isTransaction: false,
      mayConflict: false,
      claimed: [],
      apply,
    });
  }

  private async add(index: number): Promise<void> {
    const planned = this.plan.endpoints[index];
    if (!planned) return;
    const types = planned.isAll ? [...EVENT_TYPES] : EVENT_TYPES.filter((type) => type !== 'balance.low');
    const url = this.newUrl(index);
    const choice = { url, eventTypes: types };
    const { endpoint, secret } = await this.as((_, deps) =>
      manage.addEndpoint(walletOf(planned), choice, deps),
    );
    this.endpoints[index] = {
      owner: nameOf(planned),
      id: endpoint.id,
      types,
      createdAtMs: this.world.nowMs,
      urls: [url],
      secrets: [{ text: secret, fromMs: START_MS }],
      changes: [],
      hasUnknownSecret: false,
    };
  }

  private newUrl(index: number): string {
    this.count += 1;
    // The URL has the form in which the service stores it, and a token that must not be logged.
    return `http://127.0.0.1:${2_000 + this.count}/${index}/hooks.example/?${CANARIES[2]}`;
  }

  private behaviourAt(url: string, nowMs: number): Behaviour {
    const index = Number(new URL(url).pathname.split('/')[1]);
    const spans = this.plan.endpoints[index]?.receiver ?? [];
    return spans.findLast(({ fromMs }) => START_MS + fromMs <= nowMs)?.behaviour ?? 'ok';
  }

  private async publish(planned: PlannedEvent): Promise<void> {
    this.count += 1;
    const id = `event-${this.count}`;
    const bus = this.busEvent(planned, id);
    const isForAll = planned.kind === 'registry';
    const isTest = !planned.isLive && ['key', 'top-up'].includes(planned.kind);
    const owners = isForAll ? ['live#ORG-0', 'live#ORG-1'] : [nameOf({ ...planned, isLive: !isTest })];
    const seen: SeenEvent = {
      id,
      type: TYPES[planned.kind],
      owners,
      startedAtMs: this.world.nowMs,
      openRuns: 0,
    };
    this.events.push(seen);
    this.busEvents.set(id, bus);
    const { nowMs } = this.world;
    for (const afterMs of [0, ...planned.again])
      this.world.at(nowMs + afterMs, () => this.start(() => this.deliverBusEvent(seen, bus)));
  }

  private readonly busEvents = new Map<string, BusEvent>();

  private busEvent({ organisation, isLive, kind }: PlannedEvent, id: string): BusEvent {
    const environment = isLive ? 'live' : 'test';
    // Fields that real events do not have. They must not be sent.
    const stray = { nin: CANARIES[0] ?? '', surname: CANARIES[1] ?? '' };
    const own = { id, organisation: `ORG-${organisation}`, ...stray };
    const details = {
      balance: { ...own, available: 1, low_below: 100, sequence: 1 },
      key: { ...own, environment, label: 'till', last_four: 'wxyz', not_after: '2026-12-01', days_left: 6 },
      'top-up': {
        ...{ ...own, environment, reference: 'TOPUP-1', credits: 5, invoice: 'IDV-2026-000001' },
        ...{ available: 6, sequence: 2 },
      },
      registry: { id, id_type: 'NIN', ...stray },
      approval: own,
    } as const;
    return {
      'detail-type': BUS_TYPES[kind],
      time: new Date(this.world.nowMs).toISOString(),
      detail: details[kind],
    };
  }

  /** Runs a function for an event from the bus, as Lambda does, and again if the run fails or is killed. */
  private async deliverBusEvent(seen: SeenEvent, bus: BusEvent): Promise<void> {
    const { nowMs } = this.world;
    let isComplete = false;
    for (const afterMs of RUNS_AFTER_MS)
      this.world.at(nowMs + afterMs, () => {
        if (isComplete) return;
        seen.openRuns += 1;
        this.start(async () => {
          await this.startDeliveries(bus);
          isComplete = true;
          seen.openRuns -= 1;
          seen.completedAtMs ??= this.world.nowMs;
          this.reach('started');
        });
      });
  }

  private async startAgain(seen: SeenEvent): Promise<void> {
    const bus = this.busEvents.get(seen.id);
    if (!bus) return;
    await this.startDeliveries(bus);
    seen.completedAtMs = this.world.nowMs;
    this.reach('started again');
  }

  private startDeliveries(bus: BusEvent): Promise<void> {
    const organisation = (id: string) => ({
      id,
      status: 'APPROVED',
      services: Object.fromEntries(SERVICE_NAMES.map((name) => [name, {}])),
    });
    const wallets = [0, 1].map((index) => ({
      wallet: walletOf({ organisation: index, isLive: true }),
      shard: 0,
    }));
    return this.as((_, deps) =>
      startWebhooks(bus, {
        ...deps,
        organisations: { getOrganisations: async (ids: readonly string[]) => ids.map(organisation) as never },
        shards: { listShards: async () => wallets },
      }),
    );
  }

  private async change({ endpoint: index, act }: PlannedChange): Promise<void> {
    const seen = this.endpoints[index];
    const planned = this.plan.endpoints[index];
    if (!seen || !planned) return;
    const owner = walletOf(planned);
    const { id } = seen;
    this.reach(act);
    if (!['test', 'resend', 'replay'].includes(act)) seen.changes.push({ atMs: this.world.nowMs, act });
    if (act === 'rotate') await this.rotate(seen, owner);
    if (act === 'move') seen.urls.push(this.newUrl(index));
    if (act === 'move' || act === 'disable' || act === 'enable') {
      const choice = { url: seen.urls.at(-1) ?? '', eventTypes: seen.types as never };
      const isEnabled = act === 'move' ? {} : { isEnabled: act === 'enable' };
      await this.as((_, deps) => manage.updateEndpoint(owner, id, { ...choice, ...isEnabled }, deps));
    }
    if (act === 'delete') await this.as((_, deps) => manage.deleteEndpoint(owner, id, deps));
    if (act === 'test') await this.whole(id, () => this.test(owner, id));
    if (act === 'resend') await this.resend(owner, id);
    if (act === 'replay') await this.whole(id, () => this.replay(owner, id));
  }

  private async rotate(seen: SeenEndpoint, owner: WalletId): Promise<void> {
    const fromMs = this.world.nowMs;
    const wasKnown = seen.hasUnknownSecret;
    seen.hasUnknownSecret = true;
    const { secret } = await this.as((_, deps) => manage.rotateSecret(owner, seen.id, deps));
    seen.hasUnknownSecret = wasKnown;
    seen.secrets.push({ text: secret, fromMs });
  }

  /** Counts the action as open until it has a response. An action without a response may leave its work unfinished. */
  private async whole(name: string, action: () => Promise<void>): Promise<void> {
    const count = (change: number) => this.open.set(name, (this.open.get(name) ?? 0) + change);
    count(1);
    await action();
    count(-1);
  }

  private async test(owner: WalletId, endpoint: string): Promise<void> {
    const { eventId } = await this.as((_, deps) => sendTest(owner, endpoint, 'test', deps));
    this.tests.push({ id: eventId, endpoint });
  }

  private async resend(owner: WalletId, endpoint: string): Promise<void> {
    const { deliveries } = await this.as((_, deps) => listDeliveries(owner, endpoint, { limit: 5 }, deps));
    const [first] = deliveries;
    if (!first) return;
    await this.whole(first.id, async () => {
      await this.as((_, deps) => resendDelivery(owner, endpoint, first.id, deps));
      this.reach('resent');
    });
  }

  private async replay(owner: WalletId, endpoint: string): Promise<void> {
    const period = { fromMs: START_MS, toMs: this.world.nowMs, which: 'all' } as const;
    const nextDueMs = async () => this.world.nowMs;
    const { resent } = await this.as((_, deps) =>
      replayDeliveries(owner, endpoint, period, { ...deps, nextDueMs }),
    );
    if (resent > 0) this.reach('replayed');
  }

  private captureLogs(): void {
    const write = (...parts: unknown[]) => void this.logs.push(JSON.stringify(parts));
    Object.assign(logger, { info: write, warn: write, error: write });
    metricLog.write = write;
  }
}

const TYPES = {
  balance: 'balance.low',
  key: 'key.expiring',
  'top-up': 'top_up.credited',
  registry: 'registry.down',
  approval: 'organisation.approved',
} as const;
const BUS_TYPES = {
  balance: 'Balance Low',
  key: 'API Key Expiring',
  'top-up': 'Top-Up Credited',
  registry: 'Look-Ups Unavailable',
  approval: 'Organisation Approved',
} as const;
