import type { OrganisationTable } from '../../accounts/organisation-table.ts';
import { accountingMonthOf, monthAfter, monthEndMs, monthStartMs } from '../../core/accounting-month.ts';
import type { WalletId } from '../../core/keys.ts';
import { entriesBetween, type StatementScope } from '../../ledger/statement/read-statement.ts';
import type { StatementTable } from '../../ledger/statement/statement-table.ts';
import type { ClosingTable } from '../months/closing-table.ts';
import { lotAfter, lotBefore, MonthConsumption, type MonthUse } from './consume-lots.ts';
import type { Lot } from './lot.ts';

/** The tables from which the positions of lots are computed. */
export interface LotReads {
  readonly organisations: Pick<OrganisationTable, 'getOrganisation'>;
  readonly lots: { listLots(wallet: WalletId): Promise<Lot[]> };
  readonly closings: Pick<ClosingTable, 'latestClosings'>;
  readonly statement: StatementTable;
}

/** Returns the number of shards of a wallet. Throws if the organisation does not exist. */
export async function walletShards(
  { organisationId }: WalletId,
  { organisations }: Pick<LotReads, 'organisations'>,
): Promise<number> {
  const organisation = await organisations.getOrganisation(organisationId);
  if (!organisation) throw new Error(`There is no organisation ${organisationId}.`);
  return organisation.walletShards;
}

/** Reads the credits and charges of a month and returns how they used the lots. */
export async function useOfMonth(
  scope: StatementScope,
  month: string,
  start: { readonly lots: readonly Lot[]; readonly opening: number },
  statement: StatementTable,
): Promise<MonthUse> {
  const use = new MonthConsumption(month, start.lots, start.opening);
  const [from, to] = [monthStartMs(month), monthEndMs(month)].map((ms) => new Date(ms).toISOString());
  for await (const line of entriesBetween(scope, from ?? '', to ?? '', statement)) use.add(line);
  return use.end();
}

/**
 * Returns the unspent credits of each lot now, by its ID: what was left after the last closed month, minus what charges
 * and corrections have used since then. Throws if the organisation does not exist.
 */
export async function lotPositions(
  wallet: WalletId,
  { organisations, lots: table, closings, statement }: LotReads,
  nowMs: number,
): Promise<Map<string, number>> {
  const organisation = await organisations.getOrganisation(wallet.organisationId);
  if (!organisation) throw new Error(`There is no organisation ${wallet.organisationId}.`);
  const scope = { wallet, shards: organisation.walletShards, createdAt: organisation.createdAt };
  const lastClosed = await lastClosedMonth(wallet, closings);
  let lots = await table.listLots(wallet);
  const [oldest] = lots.map(({ month }) => month).sort();
  const first = lastClosed === undefined ? oldest : monthAfter(lastClosed);
  if (first === undefined) return new Map();
  // The figures of a month that is being closed, or was reopened, may already be in the lots.
  lots = lots.map((lot) => lotBefore(lot, first));
  const current = accountingMonthOf(nowMs);
  for (let month = first; month <= current; month = monthAfter(month)) {
    const use = await useOfMonth(scope, month, { lots, opening: 0 }, statement);
    lots = lots.map((lot) => lotAfter(lot, month, use));
  }
  return new Map(lots.map(({ id, remaining }) => [id, Math.max(0, remaining)]));
}

async function lastClosedMonth(wallet: WalletId, table: LotReads['closings']): Promise<string | undefined> {
  for await (const { month, state } of table.latestClosings(wallet)) if (state === 'CLOSED') return month;
  return undefined;
}
