import type { TrailSource } from '../../audit/compare-trail.ts';
import { dayPlus } from '../../core/accounting-month.ts';
import type { Clock } from '../../core/clock.ts';
import type { Row } from '../../core/database.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { inParallel } from '../../core/in-parallel.ts';
import { walletName } from '../../core/keys.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import { strayDifferences } from './check-shards.ts';
import { checkWholeWallet } from './check-wallet.ts';
import { checkShared, type ReconciledWallet } from './money.ts';
import type { ScannedTable } from './reconcile-table.ts';
import { type Difference, dayOf, isErasureMarker, walletOf } from './rows.ts';
import { scanPart } from './table-scan.ts';
import { trailDifferences } from './trail.ts';
import type { WalletSource } from './wallet-check.ts';

/** It computes every day from its rows, and then compares the days with their seals. */

export interface ReconciliationSource extends Omit<WalletSource, 'findWallet' | 'isEmpty'> {
  listOrganisations(): Promise<
    readonly (Pick<StatementScope, 'createdAt'> &
      Pick<ReconciledWallet, 'prices'> & {
        readonly id: string;
        readonly walletShards: number;
      })[]
  >;
  /** If absent, they are not compared. */
  readonly trail?: TrailSource | undefined;
}

interface ReconciliationSettings {
  /** Charges of older requests have no log row. */
  readonly logRetentionDays: number;
  /** Only this organisation. @default all */
  readonly organisationId?: string | undefined;
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

const PARALLEL = 16;

/**
 * Checks the invariants in docs/design/ledger.md, and the audit trail against its archive. Safe while requests are
 * running. Throws if a table does not respond.
 */
export async function reconcileWallets(
  source: ReconciliationSource,
  { organisationId, logRetentionDays }: ReconciliationSettings,
  clock: Clock,
): Promise<Reconciliation> {
  const nowMs = clock.nowMs();
  const wallets = await listWallets(source, organisationId);
  const rows = new ScannedRows(source, organisationId, dayPlus(dayOf(nowMs), -1));
  const found = await scanTables(rows.source, wallets, { nowMs, logRetentionDays });
  const settings = { logRetentionDays, isWhole: true, share: 0, endsAtMs: Number.POSITIVE_INFINITY, run: '' };
  const deps = { source: { ...rows.source, findWallet: findWallet(source) }, settings, clock };
  await inParallel(wallets, PARALLEL, async (scope) => {
    found.push(...(await checkWholeWallet(scope, deps)));
  });
  if (organisationId === undefined && source.money)
    found.push(...(await checkShared(source.money, () => listWallets(source), { nowMs, isWhole: true })));
  const organisations = wallets.map(({ wallet }) => wallet.organisationId);
  const scope = { organisations, isOnlyThese: organisationId !== undefined };
  if (source.trail) found.push(...(await trailDifferences(source.trail, scope, nowMs)));
  return {
    checkedAt: new Date(nowMs).toISOString(),
    wallets: wallets.length,
    ...rows.counts,
    // Several checks may find the same difference.
    differences: [...new Map(found.map((one) => [JSON.stringify(one), one])).values()],
  };
}

async function scanTables(
  source: ReconciliationSource,
  wallets: readonly StatementScope[],
  { nowMs, logRetentionDays }: { readonly nowMs: number; readonly logRetentionDays: number },
): Promise<Difference[]> {
  const whole = { next: 0, segments: 1, rows: 0 };
  const settings = {
    ...{ nowMs, logRetentionDays, wallets, isOverTime: () => false },
    ...{ rowsPerRun: Number.POSITIVE_INFINITY, expectedRows: { wallets: 0, logs: 0 } },
  };
  const ofWallets = await scanPart('wallets', whole, source, settings);
  const ofLogs = await scanPart('logs', whole, source, settings);
  const strays = strayDifferences(
    [...ofWallets.strays, ...ofLogs.strays],
    await listWallets(source),
    dayOf(nowMs),
  );
  return [...ofWallets.differences, ...ofLogs.differences, ...strays];
}

/**
 * Counts the rows of a scan, and the days that have any: other days are not read through the indexes. About 180 bytes
 * for each day with rows.
 */
class ScannedRows {
  readonly counts = { charges: 0, credits: 0, logs: 0 };
  readonly source: ReconciliationSource & Pick<WalletSource, 'isEmpty'>;
  readonly #days = new Set<string>();

  /** Days from `open` on may get their first rows after the scan. */
  constructor(source: ReconciliationSource, organisationId: string | undefined, open: string) {
    const count = (table: ScannedTable, item: Row) => this.#count(table, item);
    this.source = {
      ...source,
      isEmpty: (wallet, day) => day < open && !this.#days.has(`${walletName(wallet)} ${day}`),
      async *segmentPages(table, ...part) {
        for await (const page of source.segmentPages(table, ...part)) {
          const own = page.filter(
            (item) => organisationId === undefined || walletOf(item)?.organisationId === organisationId,
          );
          for (const item of own) count(table, item);
          yield own;
        }
      },
    };
  }

  #count(table: ScannedTable, item: Row): void {
    if (table === 'logs') this.counts.logs += isErasureMarker(item) ? 0 : 1;
    else if (item['sk'] === 'CHARGE') this.counts.charges += 1;
    else if (item['sk'] === 'CREDIT') this.counts.credits += 1;
    const wallet = walletOf(item);
    for (const name of ['statementSort', 'timeSort', 'requestedAt'])
      if (wallet && typeof item[name] === 'string')
        this.#days.add(`${walletName(wallet)} ${item[name].slice(0, 10)}`);
  }
}

/** Returns both wallets of every organisation, or of one. */
export async function listWallets(
  source: Pick<ReconciliationSource, 'listOrganisations'>,
  organisationId?: string,
): Promise<ReconciledWallet[]> {
  const all = await source.listOrganisations();
  const selected = organisationId === undefined ? all : all.filter(({ id }) => id === organisationId);
  return selected.flatMap(({ id, walletShards: shards, createdAt, prices }) =>
    ENVIRONMENTS.map((env) => ({ wallet: { env, organisationId: id }, shards, createdAt, prices })),
  );
}

/** Returns `scope` if the organisation no longer exists. */
export function findWallet(source: Pick<ReconciliationSource, 'listOrganisations'>) {
  return async (scope: ReconciledWallet): Promise<ReconciledWallet> => {
    const { env, organisationId } = scope.wallet;
    const wallets = await listWallets(source, organisationId);
    return wallets.find(({ wallet }) => wallet.env === env) ?? scope;
  };
}
