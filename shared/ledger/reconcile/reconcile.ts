import { ENVIRONMENTS } from '../../core/environment.ts';
import type { WalletId } from '../../core/keys.ts';
import { compareOperations, dayKey } from './daily-totals.ts';
import type { Difference } from './difference.ts';
import { LedgerTotals, type ReconciliationSettings } from './ledger-totals.ts';
import type { OperationFact } from './operation-facts.ts';
import type { ReconcileTable } from './reconcile-table.ts';
import { checkPointers } from './row-pointers.ts';

export interface ReconciliationSource extends ReconcileTable {
  /** Every organisation, with the number of shards of its wallets. */
  listOrganisations(): Promise<readonly { readonly id: string; readonly walletShards: number }[]>;
}

export interface Reconciliation {
  readonly checkedAt: string;
  readonly wallets: number;
  /** Rows that were read, of each kind. */
  readonly charges: number;
  readonly credits: number;
  readonly logs: number;
  readonly differences: readonly Difference[];
}

/** A busy wallet of several shards may be torn by a transfer while it is read: one reading must be right. */
const READINGS = 2;
/** Rows of differing days that are held in memory, to name the requests. */
const MAX_NAMED_ROWS = 200_000;

/**
 * Recomputes every invariant of the ledger design from the rows, and tells what does not agree. It writes nothing.
 * The order makes it safe beside running requests: first the shards, then the rows; then, for the days that differ,
 * their rows once more. Throws where a table does not answer.
 */
export async function reconcileWallets(
  source: ReconciliationSource,
  settings: ReconciliationSettings,
): Promise<Reconciliation> {
  const totals = new LedgerTotals(settings);
  const wallets = await listWallets(source, settings);
  const readings = [];
  for (let round = 0; round < READINGS; round += 1) readings.push(await readAll(wallets, source));
  for (const [place, { wallet, shardCount }] of wallets.entries())
    totals.open(
      wallet,
      shardCount,
      readings.flatMap((round) => round[place] ?? []),
    );

  const pointed: Difference[] = [];
  for await (const page of source.walletsPages())
    pointed.push(
      ...(await checkPointers(
        page.flatMap((item) => totals.takeWalletsRow(item)),
        source,
      )),
    );
  for await (const page of source.logPages())
    pointed.push(
      ...(await checkPointers(
        page.flatMap((item) => totals.takeLogRow(item)),
        source,
      )),
    );

  // Listed anew: a wallet may use more shards by now. One that is newer than the first reading waits for the next run.
  for (const { wallet, shardCount } of await listWallets(source, settings))
    totals.close(wallet, shardCount, await source.readShards(wallet, shardCount));
  const { found, named } = totals.differences(MAX_NAMED_ROWS);
  const operations = named.size > 0 ? await compareDays(named, totals, source) : [];
  return {
    checkedAt: new Date(settings.nowMs).toISOString(),
    wallets: wallets.length,
    ...totals.counts,
    differences: [...found, ...pointed, ...operations],
  };
}

interface ListedWallet {
  readonly wallet: WalletId;
  readonly shardCount: number;
}

async function listWallets(
  source: ReconciliationSource,
  { organisationId }: ReconciliationSettings,
): Promise<ListedWallet[]> {
  const all = await source.listOrganisations();
  const asked = organisationId === undefined ? all : all.filter(({ id }) => id === organisationId);
  return asked.flatMap(({ id, walletShards }) =>
    ENVIRONMENTS.map((env) => ({
      wallet: { env, organisationId: id },
      shardCount: walletShards,
    })),
  );
}

async function readAll(wallets: readonly ListedWallet[], source: ReconciliationSource) {
  const readings = [];
  for (const { wallet, shardCount } of wallets) readings.push(await source.readShards(wallet, shardCount));
  return readings;
}

/** Reads the rows of the named days once more, and names the operations whose rows do not agree. */
async function compareDays(
  named: ReadonlySet<string>,
  totals: LedgerTotals,
  source: ReconciliationSource,
): Promise<Difference[]> {
  const [charges, logs]: [OperationFact[], OperationFact[]] = [[], []];
  const isNamed = (fact: OperationFact) => named.has(dayKey(fact));
  for await (const page of source.walletsPages())
    charges.push(...page.flatMap((item) => totals.chargeFacts(item)).filter(isNamed));
  for await (const page of source.logPages())
    logs.push(...page.flatMap((item) => totals.logFacts(item)).filter(isNamed));
  return compareOperations(charges, logs);
}
