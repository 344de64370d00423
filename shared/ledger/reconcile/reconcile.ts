import type { TrailSource } from '../../audit/compare-trail.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import type { ClosedMonthSource } from './closed-months.ts';
import { compareOperations, dayKey } from './daily-totals.ts';
import { LedgerTotals, type ReconciliationSettings } from './ledger-totals.ts';
import type { OperationFact } from './operation-facts.ts';
import type { ReconcileTable } from './reconcile-table.ts';
import { checkPointers } from './row-pointers.ts';
import type { Difference } from './rows.ts';
import { compareWholeTrail } from './trail.ts';
import type { UsageSource } from './usage-months.ts';

export interface ReconciliationSource extends ReconcileTable {
  /** Returns every organisation, with the number of shards of its wallets. */
  listOrganisations(): Promise<
    readonly { readonly id: string; readonly walletShards: number; readonly createdAt: string }[]
  >;
  /** The closed months. If absent, they are not compared with the rows. */
  readonly closedMonths?: ClosedMonthSource;
  /** The usage in the console. If absent, it is not compared with the charges. */
  readonly usage?: UsageSource;
  /** The audit trail and its archive. If absent, they are not compared. */
  readonly trail?: TrailSource;
}

export interface Reconciliation {
  readonly checkedAt: string;
  readonly wallets: number;
  /** Number of rows read, by kind. */
  readonly charges: number;
  readonly credits: number;
  readonly logs: number;
  readonly differences: readonly Difference[];
}

/**
 * How many times the shards of each wallet are read before the rows. A transfer during a reading can make a wallet of
 * several shards look wrong, so one correct reading is enough.
 */
const READINGS = 2;
/** The maximum number of rows of differing days that are kept in memory to find the requests that differ. */
const MAX_NAMED_ROWS = 200_000;

/**
 * Checks the invariants in docs/ledger.md against the rows, except the sum of `moved`, and the audit trail against its
 * archive. Returns the differences. Writes nothing. The order of reads makes it safe while requests are running: shards first, then rows, then shards
 * again; then, for days that differ and for operations that may have several log rows, their rows again. Throws if a
 * table does not respond.
 */
export async function reconcileWallets(
  source: ReconciliationSource,
  settings: ReconciliationSettings,
): Promise<Reconciliation> {
  const totals = new LedgerTotals(settings);
  const wallets = await listWallets(source, settings);
  const readings = [];
  for (let round = 0; round < READINGS; round += 1) readings.push(await readAll(wallets, source));
  for (const [index, { wallet, shardCount }] of wallets.entries()) {
    const own = readings.flatMap((round) => round[index] ?? []);
    totals.addWallet(wallet, shardCount, own);
  }
  await addMonths(wallets, totals, source, settings);

  const pointed: Difference[] = [];
  for await (const page of source.walletsPages())
    pointed.push(
      ...(await checkPointers(
        page.flatMap((item) => totals.addWalletsRow(item)),
        source,
      )),
    );
  for await (const page of source.logPages())
    pointed.push(
      ...(await checkPointers(
        page.flatMap((item) => totals.addLogRow(item)),
        source,
      )),
    );

  // Listed again, because a wallet may use more shards now. A wallet that is new in this list waits for the next run.
  for (const { wallet, shardCount } of await listWallets(source, settings))
    totals.endWallet(wallet, shardCount, await source.readShards(wallet, shardCount));
  const months = await inParallel(wallets, async (scope) =>
    source.closedMonths ? totals.closedMonths.differences(scope, source.closedMonths) : [],
  );
  const { found, named } = totals.differences(MAX_NAMED_ROWS);
  const operations = await compareOperationsAgain(named, totals, source);
  const ofMonths = [...months.flat(), ...totals.monthDifferences()];
  const ofTrail = source.trail ? await compareWhole(source.trail, wallets, settings) : [];
  return {
    checkedAt: new Date(settings.nowMs).toISOString(),
    wallets: wallets.length,
    ...totals.counts,
    differences: [...found, ...pointed, ...operations, ...ofMonths, ...ofTrail],
  };
}

function compareWhole(
  trail: TrailSource,
  wallets: readonly ListedWallet[],
  { organisationId, nowMs }: ReconciliationSettings,
): Promise<Difference[]> {
  const organisations = wallets.map(({ wallet }) => wallet.organisationId);
  return compareWholeTrail(trail, { organisations, isOnlyThese: organisationId !== undefined }, nowMs);
}

/** Adds the closed months and the usage of all wallets before their rows are read. */
async function addMonths(
  wallets: readonly ListedWallet[],
  totals: LedgerTotals,
  { closedMonths, usage }: ReconciliationSource,
  { nowMs }: ReconciliationSettings,
): Promise<void> {
  await inParallel(wallets, async ({ wallet }) => {
    totals.closedMonths.addWallet(wallet, (await closedMonths?.listClosedMonths(wallet)) ?? []);
    totals.usageMonths.addWallet(wallet, await usage?.readUsage(wallet, nowMs));
  });
}

/** A wallet, and the data needed to read its statement. */
interface ListedWallet extends StatementScope {
  readonly shardCount: number;
}

/** The number of wallets whose months are read at the same time. */
const PARALLEL = 16;

async function inParallel<T>(
  wallets: readonly ListedWallet[],
  action: (wallet: ListedWallet) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (let first = 0; first < wallets.length; first += PARALLEL)
    results.push(...(await Promise.all(wallets.slice(first, first + PARALLEL).map(action))));
  return results;
}

/** Returns both wallets of every organisation, or of one. */
export async function listWallets(
  source: Pick<ReconciliationSource, 'listOrganisations'>,
  { organisationId }: Pick<ReconciliationSettings, 'organisationId'>,
): Promise<ListedWallet[]> {
  const all = await source.listOrganisations();
  const selected = organisationId === undefined ? all : all.filter(({ id }) => id === organisationId);
  return selected.flatMap(({ id, walletShards, createdAt }) =>
    ENVIRONMENTS.map((env) => ({
      wallet: { env, organisationId: id },
      shardCount: walletShards,
      shards: walletShards,
      createdAt,
    })),
  );
}

async function readAll(wallets: readonly ListedWallet[], source: ReconciliationSource) {
  const readings = [];
  for (const { wallet, shardCount } of wallets) readings.push(await source.readShards(wallet, shardCount));
  return readings;
}

/** Reads the rows of the named days and of suspected operations again and names the operations that do not agree. */
async function compareOperationsAgain(
  named: ReadonlySet<string>,
  totals: LedgerTotals,
  source: ReconciliationSource,
): Promise<Difference[]> {
  const [charges, logs]: [OperationFact[], OperationFact[]] = [[], []];
  if (named.size === 0 && !totals.repeated.hasSuspects) return [];
  const isNamed = (fact: OperationFact) => named.has(dayKey(fact));
  if (named.size > 0)
    for await (const page of source.walletsPages())
      charges.push(...page.flatMap((item) => totals.chargeFacts(item)).filter(isNamed));
  for await (const page of source.logPages()) {
    logs.push(...page.flatMap((item) => totals.logFacts(item)).filter(isNamed));
    for (const item of page) totals.countLogRow(item);
  }
  return [...totals.repeated.differences(), ...compareOperations(charges, logs)];
}
