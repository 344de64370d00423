import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { newOrganisation } from '../../shared/accounts/organisation.ts';
import { organisationTable } from '../../shared/accounts/organisation-table.ts';
import { lagosDayStartMs, monthBefore, monthEndMs } from '../../shared/core/accounting-month.ts';
import { type Clock, DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/core/clock.ts';
import { newOperationId } from '../../shared/core/ids.ts';
import type { WalletId } from '../../shared/core/keys.ts';
import { instanceMemory, type LedgerTables } from '../../shared/ledger/dependencies.ts';
import { chargeOperation, finishReplay, voidOperation } from '../../shared/ledger/end-operation.ts';
import type { Operation } from '../../shared/ledger/operation.ts';
import { reserveCredit } from '../../shared/ledger/reserve.ts';
import type { Charge } from '../../shared/ledger/rows/charge.ts';
import { statementTable } from '../../shared/ledger/statement/statement-table.ts';
import { sweepHolds } from '../../shared/ledger/sweep.ts';
import { chargeTable } from '../../shared/ledger/tables/charge-table.ts';
import { creditTable } from '../../shared/ledger/tables/credit-table.ts';
import { idempotencyTable } from '../../shared/ledger/tables/idempotency-table.ts';
import { shardTable } from '../../shared/ledger/tables/shard-table.ts';
import { walletTable } from '../../shared/ledger/tables/wallet-table.ts';
import { creditWallet } from '../../shared/ledger/top-up.ts';
import { carriedForward } from '../../shared/payments/months/carried-forward.ts';
import { closingTable } from '../../shared/payments/months/closing-table.ts';
import { registryDayTable } from '../../shared/usage/registry-day-table.ts';
import { type RollUpDependencies, rollUpUsage } from '../../shared/usage/roll-up-usage.ts';
import { usageTable } from '../../shared/usage/usage-table.ts';
import { logListTable } from '../../shared/verifications/log-list-table.ts';
import { logTable } from '../../shared/verifications/log-table.ts';
import { type Random, seededRandom } from '../ledger/simulation/random.ts';
import { memoryClient } from '../unit/payments/memory-payments.ts';

/**
 * A month of random traffic for three wallets, which the service's use cases charge and log. Meanwhile, its usage is
 * counted by runs that overlap, fail at any call, or begin days late. Some requests are killed, and the sweeper may
 * write their rows days later.
 */

export const MONTH = '2026-10';
const LABELS = ['backend', 'mobile#2', 'Ẹ̀ka'] as const;
const SERVICES = ['nin-basic', 'nin-slip', 'bvn-premium', 'cac-basic', 'tin-basic', 'nuban-basic'] as const;
const FOUND = { outcome: 'FOUND', httpStatus: 200 } as const;
const RESULTS = [
  ...([FOUND, FOUND, FOUND, FOUND, FOUND, FOUND, FOUND, FOUND] as const),
  { outcome: 'NOT_FOUND', httpStatus: 404 },
  { outcome: 'FAILED', httpStatus: 400 },
  { outcome: 'UNREACHABLE', httpStatus: 503 },
  { outcome: 'TIMEOUT', httpStatus: 504 },
  { outcome: 'ERROR', httpStatus: 500 },
] as const;

interface Customer {
  readonly wallet: WalletId;
  readonly shards: number;
}

interface Event {
  readonly atMs: number;
  run(): Promise<void>;
}

export interface UsageMonth {
  readonly client: DynamoDBDocumentClient;
  readonly rows: Readonly<Record<string, readonly Record<string, unknown>[]>>;
  readonly runs: { completed: number; failed: number };
  readonly nowMs: number;
  /** Counts again without advancing the clock. Returns how many rows of usage it wrote. */
  countAgain(): Promise<number>;
}

/** Invents `requests` requests for each wallet, and counts them about every `everyHours` hours. */
export async function inventUsage(options: {
  readonly seed: number;
  readonly requests: number;
  readonly everyHours: number;
}): Promise<UsageMonth> {
  const traffic = new Traffic(seededRandom(options.seed));
  await traffic.begin();
  const events = [...traffic.requests(options.requests), ...traffic.counts(options.everyHours)];
  for (const { run } of events.sort((a, b) => a.atMs - b.atMs)) await run();
  await traffic.end();
  return traffic.month();
}

class Traffic {
  readonly #random: Random;
  readonly #memory = memoryClient();
  readonly #ledger: LedgerTables;
  readonly #instances = instanceMemory();
  readonly #credits;
  readonly #shards;
  readonly #organisations;
  readonly #runs = { completed: 0, failed: 0 };
  #customers: readonly Customer[] = [];
  #nowMs: number;
  #isSweeperDown = false;

  constructor(random: Random) {
    this.#random = random;
    const { client } = this.#memory;
    this.#shards = shardTable(client, 'Wallets');
    this.#organisations = organisationTable(client, 'ApiKeys');
    this.#credits = creditTable(client, { wallets: 'Wallets', payments: 'Payments' });
    this.#ledger = {
      wallets: walletTable(client, client, 'Wallets'),
      shards: this.#shards,
      charges: chargeTable(client, client, 'Wallets'),
      idempotency: idempotencyTable(client, 'Wallets'),
      log: logTable(client, client, 'VerificationLogs', 365),
    };
    // The organisations are created a few days before the month begins.
    this.#nowMs = lagosDayStartMs(`${monthBefore(MONTH)}-28`);
  }

  async begin(): Promise<void> {
    const customers: Customer[] = [];
    for (const [id, shards] of [
      ['aaaaaaaaaa', 1],
      ['bbbbbbbbbb', 3],
    ] as const) {
      await this.#organisations.insertOrganisation({
        ...newOrganisation(`Customer ${id}`, new Date(this.#nowMs)),
        ...{ id, walletShards: shards },
      });
      customers.push({ wallet: { env: 'live', organisationId: id }, shards });
    }
    this.#customers = [...customers, { wallet: { env: 'test', organisationId: 'aaaaaaaaaa' }, shards: 1 }];
    for (const { wallet, shards } of this.#customers)
      for (let shard = 0; shard < shards; shard += 1) await this.#shards.createShard(wallet, shard);
  }

  /**
   * Yields credits and requests at random times, and runs of the sweeper. A fifth of the requests are within 1.5 s of
   * midnight in Lagos or in UTC.
   */
  *requests(count: number): Generator<Event> {
    const [fromMs, toMs] = [lagosDayStartMs(`${monthBefore(MONTH)}-29`), monthEndMs(MONTH) + DAY_MS];
    for (const [index, customer] of this.#customers.entries()) {
      for (let credit = 0; credit < 12; credit += 1) {
        const atMs =
          fromMs + this.#random.between(credit === 0 ? 0 : DAY_MS, credit === 0 ? 0 : toMs - fromMs);
        yield this.#event(atMs, () => this.#credit(customer, `ref-${index}-${credit}`, credit));
      }
      for (let request = 0; request < count; request += 1) {
        const anyMs = this.#random.between(fromMs + HOUR_MS, toMs);
        const midnightMs = Math.ceil(anyMs / DAY_MS) * DAY_MS - (request % 2) * HOUR_MS;
        const nearMs = midnightMs + this.#random.between(-1_500, 500);
        const atMs = request % 5 === 0 ? nearMs : anyMs;
        yield this.#event(atMs, () => this.#send(customer));
      }
    }
    for (let atMs = fromMs; atMs < toMs; atMs += 7 * HOUR_MS) yield this.#event(atMs, () => this.#sweep());
  }

  /** Yields runs of the count. For five days in the middle of the month, there are none. */
  *counts(everyHours: number): Generator<Event> {
    const outage = lagosDayStartMs(`${MONTH}-12`);
    for (
      let atMs = lagosDayStartMs(`${monthBefore(MONTH)}-30`);
      atMs < monthEndMs(MONTH) + DAY_MS;
      atMs += everyHours * HOUR_MS + 13 * MINUTE_MS
    )
      if (atMs < outage || atMs > outage + 5 * DAY_MS) yield this.#event(atMs, () => this.#count());
  }

  /** Settles what is left, and counts once more on the next day, without faults. */
  async end(): Promise<void> {
    this.#nowMs = monthEndMs(MONTH) + DAY_MS + 3 * HOUR_MS;
    await this.#settle();
    this.#nowMs += DAY_MS;
    await this.#roll();
  }

  month(): UsageMonth {
    const tables: Record<string, Record<string, unknown>[]> = {};
    const latest = new Map<string, { tableName: string; row: Record<string, unknown> | null }>();
    for (const { tableName, pk, sk, row } of this.#memory.writes)
      latest.set(`${tableName} ${pk} ${sk}`, { tableName, row });
    for (const { tableName, row } of latest.values()) {
      tables[tableName] ??= [];
      if (row) tables[tableName].push(row);
    }
    const countAgain = async () => {
      const before = this.#memory.writes.filter(isCount).length;
      await this.#roll();
      return this.#memory.writes.filter(isCount).length - before;
    };
    return { client: this.#memory.client, rows: tables, runs: this.#runs, nowMs: this.#nowMs, countAgain };
  }

  #event(atMs: number, run: () => Promise<void>): Event {
    return {
      atMs,
      run: () => {
        this.#nowMs = Math.max(this.#nowMs, atMs);
        return run();
      },
    };
  }

  /** Returns a clock that advances with each reading, so that a charge is decided some time after its request. */
  #clock(stepMs: number): Clock {
    let nowMs = this.#nowMs;
    return {
      nowMs: () => {
        nowMs += stepMs;
        return nowMs;
      },
      pause: async () => undefined,
      random: () => this.#random.next(),
    };
  }

  async #credit({ wallet, shards }: Customer, reference: string, index: number): Promise<void> {
    const isCorrection = index % 4 === 3;
    const order = {
      reference,
      kind: isCorrection ? 'CORRECTION' : 'TOP_UP',
      amount: isCorrection
        ? -this.#random.between(1, 5)
        : index === 0
          ? 2_000
          : this.#random.between(50, 200),
      actor: 'ada',
      reason: 'Invented',
    } as const;
    const tables = { credits: this.#credits, shards: this.#shards };
    // Corrections that would make a shard negative are rejected.
    await creditWallet(wallet, shards, order, tables, this.#clock(1)).catch(() => undefined);
  }

  async #send({ wallet, shards }: Customer): Promise<void> {
    const clock = this.#clock(this.#random.between(0, 300));
    const operation: Operation = {
      id: newOperationId(this.#nowMs),
      wallet,
      requestId: `req_${newOperationId(this.#nowMs).slice(-16).toLowerCase()}`,
      service: this.#random.pick(SERVICES),
      cost: this.#random.between(1, 3),
      keyLabel: this.#random.pick(LABELS),
      numberTag: newOperationId(this.#nowMs),
      requestedAtMs: this.#nowMs,
    };
    const reserved = await reserveCredit(operation, shards, this.#ledger, this.#instances, clock);
    // One request in twelve is killed. The sweeper settles its hold.
    if (reserved.kind !== 'held' || this.#random.between(1, 12) === 1) return;
    const held = { operation, hold: reserved.hold };
    const { outcome, httpStatus } = this.#random.pick(RESULTS);
    const provider = outcome === 'ERROR' ? '' : this.#random.pick(['sandbox', 'prembly']);
    const latencyMs = Math.round(20 * 1_000 ** this.#random.next());
    const facts = { outcome, httpStatus, provider, latencyMs };
    if (outcome !== 'FOUND') {
      await voidOperation(operation, facts, held, this.#ledger, clock);
      return;
    }
    await chargeOperation(held, facts, this.#ledger, this.#instances, clock);
    const charge = await this.#ledger.charges.getCharge(wallet, operation.id);
    if (charge?.state === 'CHARGED' && this.#random.between(1, 6) === 1)
      await this.#replay(operation, charge);
  }

  async #replay(operation: Operation, charge: Charge): Promise<void> {
    const requestedAtMs = this.#nowMs + this.#random.between(1_000, 5_000);
    const again = { ...operation, id: newOperationId(requestedAtMs), requestedAtMs };
    const facts = { outcome: 'FOUND', httpStatus: 200, provider: 'sandbox', latencyMs: 90 } as const;
    await finishReplay(again, charge, 'none', facts, this.#ledger, this.#clock(1));
  }

  /** Runs the sweeper unless it is down. An outage may last for days. */
  async #sweep(): Promise<void> {
    if (this.#random.between(1, 12) === 1) this.#isSweeperDown = !this.#isSweeperDown;
    if (this.#isSweeperDown && this.#random.between(1, 8) > 1) return;
    this.#isSweeperDown = false;
    await this.#settle();
  }

  async #settle(): Promise<void> {
    await sweepHolds(this.#ledger, this.#clock(0), (error) => {
      throw error;
    });
  }

  async #count(): Promise<void> {
    const chance = this.#random.between(1, 6);
    if (chance === 1) await Promise.all([this.#roll(), this.#roll()]);
    else if (chance === 2) await this.#rollWithFault();
    else await this.#roll();
  }

  /** Runs the count. One of its calls fails, and so does every later one, as if the function were killed. */
  async #rollWithFault(): Promise<void> {
    let calls = this.#random.between(5, 150);
    this.#memory.before = () => {
      calls -= 1;
      if (calls < 0) throw new Error('Killed.');
    };
    await this.#roll().catch(() => undefined);
    this.#memory.before = () => undefined;
    this.#runs.failed += 1;
  }

  async #roll(): Promise<void> {
    await rollUpUsage(this.#dependencies(), () => undefined);
    this.#runs.completed += 1;
  }

  #dependencies(): RollUpDependencies {
    const { client } = this.#memory;
    return {
      shards: this.#shards,
      organisations: this.#organisations,
      logs: logListTable(client, 'VerificationLogs'),
      statement: statementTable(client, 'Wallets'),
      findBalance: carriedForward(closingTable(client, 'Payments'), (error) => {
        throw error;
      }),
      usage: usageTable(client, 'Console'),
      registries: registryDayTable(client, 'Console'),
      logRetentionDays: 365,
      clock: { nowMs: () => this.#nowMs },
    };
  }
}

/**
 * Whether a row counts the use of a wallet. Each run also writes rows that do not: its state and the look-ups of
 * registries.
 */
function isCount({ tableName, pk, sk }: { tableName: string; pk: string; sk: string }): boolean {
  return tableName === 'Console' && sk !== 'STATE' && ![pk, sk].some((key) => key.startsWith('REGISTRY#'));
}
