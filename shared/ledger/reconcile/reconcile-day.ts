import { type Clock, HOUR_MS } from '../../core/clock.ts';
import { inParallel } from '../../core/in-parallel.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import type { ShardTable } from '../tables/shard-table.ts';
import { checkShards, strayDifferences } from './check-shards.ts';
import { checkWallet } from './check-wallet.ts';
import { checkShared } from './money.ts';
import { findWallet, listWallets, type ReconciliationSource } from './reconcile.ts';
import { type Difference, dayOf, difference } from './rows.ts';
import type { ReconciliationRun, ScanPosition, SealHead } from './seal.ts';
import type { SealTable } from './seal-table.ts';
import { scanPart } from './table-scan.ts';
import { compareTrailOfDay } from './trail.ts';
import { weightOf } from './verify-days.ts';

/**
 * The daily reconciliation. Its cost depends on the rows of a day, not on all rows
 * (docs/design/decisions/0019-sealed-days.md).
 */

export interface DailySource extends ReconciliationSource {
  readonly seals: SealTable;
  readonly shards: Pick<ShardTable, 'listShards' | 'getShards'>;
}

export interface DailySettings {
  readonly logRetentionDays: number;
  /** Epoch milliseconds. No wallet, part of a table or seal is begun later. */
  readonly endsAtMs: number;
  /** Begins a run even if today's is complete. */
  readonly isForced: boolean;
  /** The minimum number of rows that a run reads again from all sealed days, and from each table. @default 200,000 */
  readonly rowsPerRun?: number;
}

/**
 * `idle`: today's run was complete, or another invocation has just begun it. `unfinished`: the next one continues.
 */
export interface DailyReport {
  readonly status: 'idle' | 'unfinished' | 'complete';
  /** Includes its earlier invocations. */
  readonly run: ReconciliationRun | undefined;
  /** Runs until all sealed days are read again, if the stage does not grow. */
  readonly runsOfSealedDays: number;
}

export type OnDifferences = (found: readonly Difference[]) => void;

const ROWS_PER_RUN = 200_000;
/** Sealed rows read again for each row of a day. More than 1, or new rows would never be reached. */
const DAYS_PER_RUN = 4;
const PARALLEL = 8;
/** VOID and idempotency rows in Wallets for each row of the statement, roughly. */
const OTHER_ROWS = 2;

/** The difference belongs to no organisation. */
const STAGE = { env: 'live', organisationId: '' } as const;
const FIRST_PART: ScanPosition = { next: 0, segments: 1, rows: 0 };

/** Continues the last run, or begins today's. Repairs nothing. */
export async function reconcileDay(
  source: DailySource,
  settings: DailySettings,
  clock: Clock,
  onDifferences: OnDifferences,
): Promise<DailyReport> {
  const stored = await source.seals.getRun();
  const run = await beginRun(stored, source, settings, clock);
  if (!run) return { status: 'idle', run: stored, runsOfSealedDays: 0 };
  return new DailyRun(source, settings, clock, onDifferences, run).continue(stored);
}

/** Returns undefined if no run is due, or if another invocation has just begun it. */
async function beginRun(
  stored: ReconciliationRun | undefined,
  { seals }: DailySource,
  { isForced }: DailySettings,
  clock: Clock,
): Promise<ReconciliationRun | undefined> {
  const nowMs = clock.nowMs();
  if (stored && isPossible(stored, nowMs)) {
    if (stored.completedAt === undefined) return stored;
    if (!isForced && dayOf(Date.parse(stored.startedAt)) === dayOf(nowMs)) return undefined;
  }
  const run: ReconciliationRun = {
    startedAt: new Date(nowMs).toISOString(),
    previousAt: stored?.startedAt,
    differences: 0,
    wallets: 0,
    rows: 0,
    walletsScan: { ...(stored?.walletsScan ?? FIRST_PART), rows: 0 },
    logsScan: { ...(stored?.logsScan ?? FIRST_PART), rows: 0 },
    version: (stored?.version ?? 0) + 1,
  };
  return (await seals.putRun(run)) ? run : undefined;
}

/** Otherwise, its wallets and tables would wrongly count as checked. */
function isPossible({ startedAt }: ReconciliationRun, nowMs: number): boolean {
  return Date.parse(startedAt) < nowMs + HOUR_MS;
}

interface HeadOfWallet {
  readonly scope: StatementScope;
  readonly head: SealHead | undefined;
}

class DailyRun {
  readonly #source: DailySource;
  readonly #settings: DailySettings;
  readonly #clock: Clock;
  readonly #onDifferences: OnDifferences;
  #run: ReconciliationRun;
  #runsOfSealedDays = 1;
  readonly #reported = new Set<string>();

  constructor(
    source: DailySource,
    settings: DailySettings,
    clock: Clock,
    onDifferences: OnDifferences,
    run: ReconciliationRun,
  ) {
    this.#source = source;
    this.#settings = settings;
    this.#clock = clock;
    this.#onDifferences = onDifferences;
    this.#run = run;
  }

  /** `stored` is the run before, or this one. */
  async continue(stored: ReconciliationRun | undefined): Promise<DailyReport> {
    const nowMs = this.#clock.nowMs();
    if (stored && !isPossible(stored, nowMs)) {
      const subject = { day: dayOf(nowMs), reference: 'run' };
      this.#add([difference('sealed-day', STAGE, subject, 'begun before now', stored.startedAt)]);
    }
    const scopes = await listWallets(this.#source);
    const heads = await this.#source.seals.getHeads(scopes.map(({ wallet }) => wallet));
    const wallets = scopes.map((scope, index) => ({ scope, head: heads[index] }));
    const isComplete =
      (await this.#checkWallets(wallets)) &&
      (await this.#checkTables(scopes)) &&
      (await this.#checkShared()) &&
      (await this.#checkTrail(scopes));
    const completedAt = isComplete ? new Date(this.#clock.nowMs()).toISOString() : undefined;
    this.#run = { ...this.#run, completedAt, version: this.#run.version + 1 };
    // If another invocation has changed the stored run, this one does not overwrite it.
    const isStored = await this.#source.seals.putRun(this.#run);
    const status = isComplete && isStored ? 'complete' : 'unfinished';
    return { status, run: this.#run, runsOfSealedDays: this.#runsOfSealedDays };
  }

  get #rowsPerRun(): number {
    return this.#settings.rowsPerRun ?? ROWS_PER_RUN;
  }

  #isOverTime(): boolean {
    return this.#clock.nowMs() >= this.#settings.endsAtMs;
  }

  /** Several checks may find the same difference, which an invocation reports only once. */
  #add(
    differing: readonly Difference[],
    counts: { readonly wallets?: number; readonly rows?: number } = {},
  ): void {
    const { wallets = 0, rows = 0 } = counts;
    const found = differing.filter((one) => !this.#reported.has(JSON.stringify(one)));
    for (const one of found) this.#reported.add(JSON.stringify(one));
    const run = this.#run;
    const differences = run.differences + found.length;
    this.#run = { ...run, differences, wallets: run.wallets + wallets, rows: run.rows + rows };
    if (found.length > 0) this.#onDifferences(found);
  }

  /** Returns false if some are left. */
  async #checkWallets(wallets: readonly HeadOfWallet[]): Promise<boolean> {
    const share = this.#shareOfSealedRows(wallets);
    const { logRetentionDays, endsAtMs } = this.#settings;
    const { startedAt: run, previousAt: previousRun } = this.#run;
    const settings = { logRetentionDays, endsAtMs, share, run, previousRun };
    const source = { ...this.#source, findWallet: findWallet(this.#source) };
    const deps = { source, settings, clock: this.#clock };
    const waiting = wallets.filter(({ head }) => head?.run !== settings.run);
    let isComplete = true;
    await inParallel(waiting, PARALLEL, async ({ scope, head }) => {
      const isSkipped = this.#isOverTime();
      const result = isSkipped ? undefined : await checkWallet(scope, head, deps);
      if (result) this.#add(result.differences, { wallets: result.isComplete ? 1 : 0, rows: result.rows });
      isComplete &&= result?.isComplete ?? false;
    });
    return isComplete;
  }

  /** The same for all wallets, so that all take the same number of runs. */
  #shareOfSealedRows(wallets: readonly HeadOfWallet[]): number {
    const all = sumOf(wallets, weightOf);
    const rows = Math.max(this.#rowsPerRun, DAYS_PER_RUN * sumOf(wallets, ({ lastRows }) => lastRows));
    this.#runsOfSealedDays = Math.max(1, Math.ceil(all / rows));
    // Without sealed days, everything is read for the first time now.
    return all === 0 ? 0 : Math.min(1, rows / all);
  }

  /** Returns false if time is up. */
  async #checkTables(scopes: readonly StatementScope[]): Promise<boolean> {
    const nowMs = this.#clock.nowMs();
    const heads = await this.#source.seals.getHeads(scopes.map(({ wallet }) => wallet));
    const wallets = scopes.map((scope, index) => ({ scope, head: heads[index] }));
    const rowsPerRun = Math.max(
      this.#rowsPerRun,
      sumOf(wallets, ({ lastRows }) => lastRows),
    );
    const { logRetentionDays } = this.#settings;
    const isOverTime = () => this.#isOverTime();
    const lines = sumOf(wallets, ({ total }) => total.charges + total.credits);
    const logs = sumOf(wallets, ({ total }) => total.logs);
    const expectedRows = { wallets: lines * (1 + OTHER_ROWS), logs };
    const settings = { nowMs, logRetentionDays, wallets: scopes, isOverTime, rowsPerRun, expectedRows };
    const ofWallets = await scanPart('wallets', this.#run.walletsScan, this.#source, settings);
    const ofLogs = await scanPart('logs', this.#run.logsScan, this.#source, settings);
    const day = dayOf(nowMs);
    const shards = await checkShards(scopes, this.#source.shards, day);
    this.#run = { ...this.#run, walletsScan: ofWallets.position, logsScan: ofLogs.position };
    const strays = [...ofWallets.strays, ...ofLogs.strays, ...shards];
    this.#add([
      ...ofWallets.differences,
      ...ofLogs.differences,
      ...(strays.length > 0 ? strayDifferences(strays, await listWallets(this.#source), day) : []),
    ]);
    return ofWallets.isComplete && ofLogs.isComplete;
  }

  /** Returns false if time is up. */
  async #checkShared(): Promise<boolean> {
    const { money } = this.#source;
    if (!money) return true;
    if (this.#isOverTime()) return false;
    const options = { nowMs: this.#clock.nowMs(), isWhole: false };
    this.#add(await checkShared(money, () => listWallets(this.#source), options));
    return true;
  }

  /** Returns false if time is up. */
  async #checkTrail(scopes: readonly StatementScope[]): Promise<boolean> {
    if (!this.#source.trail) return true;
    if (this.#isOverTime()) return false;
    const organisations = scopes.map(({ wallet, createdAt }) => ({ id: wallet.organisationId, createdAt }));
    this.#add(await compareTrailOfDay(this.#source.trail, organisations, this.#clock.nowMs()));
    return true;
  }
}

function sumOf(wallets: readonly HeadOfWallet[], amountOf: (head: SealHead) => number): number {
  return wallets.reduce((sum, { head }) => sum + (head ? amountOf(head) : 0), 0);
}
