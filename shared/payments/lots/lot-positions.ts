import type { Organisation } from '../../accounts/organisation.ts';
import {
  accountingMonthOf,
  dayPlus,
  daysBetween,
  monthAfter,
  monthEndMs,
  monthStartMs,
} from '../../core/accounting-month.ts';
import type { WalletId } from '../../core/keys.ts';
import { notPossible } from '../../core/not-possible.ts';
import { entryOfSpan } from '../../ledger/reconcile/day-spans.ts';
import type { Seal } from '../../ledger/reconcile/seal.ts';
import type { SealTable } from '../../ledger/reconcile/seal-table.ts';
import {
  entriesBetween,
  type StatementRange,
  type StatementScope,
} from '../../ledger/statement/read-statement.ts';
import type { StatementEntry } from '../../ledger/statement/statement.ts';
import type { StatementTable } from '../../ledger/statement/statement-table.ts';
import type { ClosingTable } from '../months/closing-table.ts';
import { lotAfter, lotBefore, MonthConsumption, type MonthUse } from './consume-lots.ts';
import type { Lot } from './lot.ts';

/** The tables from which the positions of lots are computed. */
export interface LotReads {
  readonly organisations: {
    getOrganisation(id: string): Promise<Pick<Organisation, 'walletShards' | 'createdAt'> | undefined>;
  };
  readonly lots: { listLots(wallet: WalletId): Promise<Lot[]> };
  readonly closings: Pick<ClosingTable, 'latestClosings'>;
  readonly statement: StatementTable;
  readonly seals: Pick<SealTable, 'seals'>;
}

/** Returns the number of shards of a wallet. Throws if the organisation does not exist. */
export async function walletShards(
  { organisationId }: WalletId,
  { organisations }: Pick<LotReads, 'organisations'>,
): Promise<number> {
  const organisation = await organisations.getOrganisation(organisationId);
  if (!organisation) throw notPossible(`There is no organisation ${organisationId}.`);
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
  const { from, to } = rangeOf(month);
  for await (const line of entriesBetween(scope, from, to, statement)) use.add(line);
  return use.end();
}

function rangeOf(month: string): StatementRange {
  const isoOf = (ms: number) => new Date(ms).toISOString();
  return { from: isoOf(monthStartMs(month)), to: isoOf(monthEndMs(month)) };
}

/** Reads the rows of only those days that are not sealed, or whose seal cannot be used. */
async function* shortenedLines(
  scope: StatementScope,
  month: string,
  { statement, seals }: Pick<LotReads, 'statement' | 'seals'>,
): AsyncGenerator<StatementEntry> {
  const { from, to } = rangeOf(month);
  const [first, last] = [from.slice(0, 10), to.slice(0, 10)];
  const sealed = new Map<string, NonNullable<Seal['spans']>>();
  for await (const { day, spans, differences } of seals.seals(scope.wallet, first, last))
    if (spans && differences === 0) sealed.set(day, spans);
  let open = from;
  for (const day of daysBetween(first, last)) {
    const spans = sealed.get(day);
    if (!spans) continue;
    if (open < day) yield* entriesBetween(scope, open, startOf(day), statement);
    yield* spans.filter(({ at }) => at >= from && at < to).map(entryOfSpan);
    open = startOf(dayPlus(day, 1));
  }
  if (open < to) yield* entriesBetween(scope, open, to, statement);
}

const startOf = (day: string) => `${day}T00:00:00.000Z`;

/** Returns the unspent credits of each lot now, by its ID. */
export async function lotPositions(
  wallet: WalletId,
  deps: LotReads,
  nowMs: number,
): Promise<Map<string, number>> {
  const lots = await lotsNow(wallet, deps, nowMs);
  return new Map(lots.map(({ id, remaining }) => [id, Math.max(0, remaining)]));
}

/** `onLines` is called now and then while lines are read, and may throw. */
const CALLED_EVERY = 1_000;

/**
 * Returns the lots as if the wallet's open months were closed now: what was left after the last closed month, minus
 * what charges and corrections have used since then. Throws if the organisation does not exist.
 */
export async function lotsNow(
  wallet: WalletId,
  deps: LotReads,
  nowMs: number,
  onLines: () => void = () => undefined,
): Promise<Lot[]> {
  const { organisations, lots: table, closings } = deps;
  const organisation = await organisations.getOrganisation(wallet.organisationId);
  if (!organisation) throw notPossible(`There is no organisation ${wallet.organisationId}.`);
  const scope = { wallet, shards: organisation.walletShards, createdAt: organisation.createdAt };
  const lastClosed = await lastClosedMonth(wallet, closings);
  let lots = await table.listLots(wallet);
  const [oldest] = lots.map(({ month }) => month).sort();
  const first = lastClosed === undefined ? oldest : monthAfter(lastClosed);
  if (first === undefined) return lots;
  // The figures of a month that is being closed, or was reopened, may already be in the lots.
  lots = lots.map((lot) => lotBefore(lot, first));
  const current = accountingMonthOf(nowMs);
  for (let month = first; month <= current; month = monthAfter(month)) {
    const consumption = new MonthConsumption(month, lots, 0);
    let count = 0;
    for await (const line of shortenedLines(scope, month, deps)) {
      consumption.add(line);
      count += 1;
      if (count % CALLED_EVERY === 0) onLines();
    }
    const use = consumption.end();
    lots = lots.map((lot) => lotAfter(lot, month, use));
  }
  return lots;
}

async function lastClosedMonth(wallet: WalletId, table: LotReads['closings']): Promise<string | undefined> {
  for await (const { month, state } of table.latestClosings(wallet)) if (state === 'CLOSED') return month;
  return undefined;
}
