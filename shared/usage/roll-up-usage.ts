import type { OrganisationTable } from '../accounts/organisation-table.ts';
import { dayPlus, daysBetween, lagosDay, lagosDayStartMs, monthEndMs } from '../core/accounting-month.ts';
import { type Clock, DAY_MS } from '../core/clock.ts';
import { ENVIRONMENTS } from '../core/environment.ts';
import { ID_TYPES } from '../core/id-types.ts';
import { inParallel } from '../core/in-parallel.ts';
import { type WalletId, walletName } from '../core/keys.ts';
import { earlier, later } from '../core/time-order.ts';
import type { StatementScope } from '../ledger/statement/read-statement.ts';
import type { ShardTable } from '../ledger/tables/shard-table.ts';
import { type CountTables, countDays, type DayRange } from './count-days.ts';
import type { RegistryDayTable } from './registry-day-table.ts';
import { sumOfShares } from './registry-days.ts';
import type { UsageState } from './rows.ts';

export interface RollUpDependencies extends CountTables {
  readonly shards: Pick<ShardTable, 'listShards'>;
  readonly organisations: Pick<OrganisationTable, 'getOrganisation'>;
  readonly registries: Pick<RegistryDayTable, 'putShare' | 'readShares' | 'putDay'>;
  /** Days whose log rows may have expired are no longer counted. */
  readonly logRetentionDays: number;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface RollUpOrder {
  /** Counts the month (Africa/Lagos) again, without stored daily balances. */
  readonly month?: string | undefined;
  /** Only the wallets of this organisation. @default all */
  readonly organisation?: string | undefined;
}

/** The result of one run. */
interface RollUpReport {
  wallets: number;
  counted: number;
  failed: number;
  /** The next run begins with them. */
  postponed: number;
  /** At the start of the run. */
  oldestUsageMs: number;
}

const AT_ONCE = 8;
/** A run begins no more counts then. The function times out after 15 minutes. */
const BEGIN_WITHIN_MS = 11 * 60_000;
/** For one wallet in a run. The next run counts the rest. */
const WALLET_WITHIN_MS = 4 * 60_000;
/** Their counts are in memory. */
const DAYS_AT_ONCE = 8;
/** This long after a request, its log row is in the index, unless the sweeper writes it. */
const FINAL_AFTER_MS = 3 * 60_000;
/** Recounted once a day, for rows that the sweeper wrote after an outage. */
const LOOK_BACK_DAYS = 8;
/** Shown by the status page. */
const REGISTRY_DAYS = 90;

/** For a wallet whose first count fails. */
const NEVER_COUNTED_MS = DAY_MS;

type OnFailure = (error: unknown, wallet: WalletId) => void;

/**
 * Counts yesterday and today, or all days since the last count, and once a day the eight days before. Replaces stored
 * sums, so a run may fail, be repeated or overlap. The wallets that were counted least recently come first, so no
 * position is stored.
 */
export async function rollUpUsage(
  deps: RollUpDependencies,
  onFailure: OnFailure,
  order: RollUpOrder = {},
): Promise<RollUpReport> {
  const run = new RollUp(deps, order, onFailure);
  return run.run();
}

class RollUp {
  readonly #deps: RollUpDependencies;
  readonly #order: RollUpOrder;
  readonly #onFailure: OnFailure;
  readonly #startMs: number;
  readonly #report: RollUpReport = { wallets: 0, counted: 0, failed: 0, postponed: 0, oldestUsageMs: 0 };
  readonly #utcDays = new Set<string>();

  constructor(deps: RollUpDependencies, order: RollUpOrder, onFailure: OnFailure) {
    this.#deps = deps;
    this.#order = order;
    this.#onFailure = onFailure;
    this.#startMs = deps.clock.nowMs();
  }

  async run(): Promise<RollUpReport> {
    const wallets = await this.#listWallets();
    const selected = wallets.filter(
      ({ organisationId }) => (this.#order.organisation ?? organisationId) === organisationId,
    );
    const states = await this.#deps.usage.readStates(selected);
    const stateOf = (wallet: WalletId) => states.get(walletName(wallet));
    const untilOf = (wallet: WalletId) => stateOf(wallet)?.countedUntil ?? '';
    const waiting = selected.sort((a, b) => (untilOf(a) < untilOf(b) ? -1 : 1));
    this.#report.wallets = waiting.length;
    await inParallel(waiting, AT_ONCE, (wallet) => this.#countWallet(wallet, stateOf(wallet)));
    await this.#addUpRegistries(wallets);
    return this.#report;
  }

  /** Every wallet has a shard by its first credit. */
  async #listWallets(): Promise<WalletId[]> {
    const wallets = new Map<string, WalletId>();
    for (const env of ENVIRONMENTS)
      for (const { wallet } of await this.#deps.shards.listShards(env))
        wallets.set(walletName(wallet), wallet);
    return [...wallets.values()];
  }

  async #countWallet(wallet: WalletId, state: UsageState | undefined): Promise<void> {
    let until = state?.countedUntil;
    let behindMs = 0;
    try {
      if (this.#isOver()) this.#report.postponed += 1;
      else until = await this.#count(wallet, state);
    } catch (error) {
      this.#report.failed += 1;
      this.#onFailure(error, wallet);
      behindMs = NEVER_COUNTED_MS;
    }
    if (until !== undefined) behindMs = this.#startMs - Date.parse(until);
    this.#report.oldestUsageMs = Math.max(this.#report.oldestUsageMs, behindMs);
  }

  /** Returns the time up to which usage is counted. */
  async #count(wallet: WalletId, state: UsageState | undefined): Promise<string | undefined> {
    const organisation = await this.#deps.organisations.getOrganisation(wallet.organisationId);
    if (!organisation) throw new Error('A wallet belongs to no organisation.');
    const { walletShards, createdAt } = organisation;
    const scope = { wallet, shards: walletShards, createdAt };
    const { month } = this.#order;
    if (month !== undefined) {
      await this.#countMonth(scope, month);
      this.#report.counted += 1;
      return state?.countedUntil;
    }
    return this.#countRecent(scope, state);
  }

  async #countRecent(scope: StatementScope, state: UsageState | undefined): Promise<string | undefined> {
    const { usage, clock } = this.#deps;
    const beganMs = clock.nowMs();
    const today = lagosDay(beganMs);
    const from = this.#firstDay(scope, state, today);
    let until = state?.countedUntil;
    for (let first = from; first <= today; ) {
      if (this.#isOver() || clock.nowMs() >= beganMs + WALLET_WITHIN_MS) {
        this.#report.postponed += 1;
        return until;
      }
      const last = earlier(dayPlus(first, DAYS_AT_ONCE - 1), today);
      const nowMs = clock.nowMs();
      this.#addDays(await countDays(scope, { first, last }, this.#deps, nowMs));
      first = dayPlus(last, 1);
      const isDone = last === today;
      const countedMs = isDone ? nowMs - FINAL_AFTER_MS : lagosDayStartMs(first);
      const countedUntil = later(until ?? '', new Date(countedMs).toISOString());
      const countedFrom = state?.countedFrom ?? from;
      const reviewedOn = isDone ? today : (state?.reviewedOn ?? '');
      await usage.putState(scope.wallet, { countedFrom, countedUntil, reviewedOn });
      until = countedUntil;
    }
    this.#report.counted += 1;
    return until;
  }

  /**
   * The day before the last count, yesterday or the start of the look-back, whichever is earliest. A first count begins
   * at the organisation's creation.
   */
  #firstDay({ createdAt }: StatementScope, state: UsageState | undefined, today: string): string {
    // Organisations and credits may use different clocks.
    const created = lagosDay(Date.parse(createdAt) - DAY_MS);
    const last = state && lagosDay(Date.parse(state.countedUntil));
    const since = last === undefined ? created : earlier(dayPlus(last, -1), dayPlus(today, -1));
    const isReviewDue = state !== undefined && state.reviewedOn !== today;
    const first = isReviewDue ? earlier(since, dayPlus(today, -LOOK_BACK_DAYS)) : since;
    return later(first, later(this.#oldestDay(), state?.countedFrom ?? created));
  }

  async #countMonth(scope: StatementScope, month: string): Promise<void> {
    const nowMs = this.#deps.clock.nowMs();
    const range: DayRange = {
      first: later(`${month}-01`, this.#oldestDay()),
      last: lagosDay(Math.min(monthEndMs(month) - 1, nowMs)),
    };
    if (range.first <= range.last)
      this.#addDays(await countDays(scope, range, this.#deps, nowMs, { readsWholeStatement: true }));
  }

  /** No log row of it has expired. */
  #oldestDay(): string {
    return dayPlus(lagosDay(this.#startMs - this.#deps.logRetentionDays * DAY_MS), 1);
  }

  /**
   * Today, yesterday (UTC) and each counted day, latest first. Uses the stored shares of wallets that this run did not
   * reach.
   */
  async #addUpRegistries(wallets: readonly WalletId[]): Promise<void> {
    const { registries, clock } = this.#deps;
    const live = wallets.filter(({ env }) => env === 'live');
    const today = new Date(this.#startMs).toISOString().slice(0, 10);
    const oldest = dayPlus(today, -REGISTRY_DAYS);
    const days = new Set([...this.#utcDays, ...daysBetween(dayPlus(today, -1), today)]);
    for (const day of [...days]
      .filter((one) => one >= oldest)
      .sort()
      .reverse()) {
      if (this.#isOver()) return;
      const countedAt = new Date(clock.nowMs()).toISOString();
      const sums = sumOfShares(await registries.readShares(live, day));
      for (const idType of ID_TYPES) {
        const none = { requests: 0, failures: 0, latency: {} };
        await registries.putDay(idType, { day, ...(sums.get(idType) ?? none), countedAt });
      }
    }
  }

  #addDays(days: readonly string[]): void {
    for (const day of days) this.#utcDays.add(day);
  }

  #isOver(): boolean {
    return this.#deps.clock.nowMs() >= this.#startMs + BEGIN_WITHIN_MS;
  }
}
