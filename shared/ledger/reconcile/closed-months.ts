import { accountingMonthOf } from '../../core/accounting-month.ts';
import type { WalletId } from '../../core/keys.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import { type ChargeRow, type Difference, difference, operationSubject } from './rows.ts';

/**
 * Compares the rows of closed months with what their closings counted. The closings belong to payments, which the
 * ledger does not import, so the reconciliation receives a source of them.
 */

/** Whole credits of a month, and the number of its credit rows and CHARGED rows. */
export interface MonthTally {
  readonly toppedUp: number;
  readonly corrected: number;
  readonly charged: number;
  readonly lines: number;
}

export interface ClosedMonthFacts extends MonthTally {
  /** An accounting month, `yyyy-mm`. */
  readonly month: string;
  /** ISO time from which nothing could be booked into the month. */
  readonly startedAt: string;
}

/** Accounting months, `yyyy-mm`, both inclusive. */
export interface MonthRange {
  readonly from: string;
  readonly to: string;
}

/** The result of computing a closed month again. */
interface Recomputation {
  /** References of credit rows that the closing cannot have counted, because they are in no lot. */
  readonly lateCredits: readonly string[];
  /** Summaries of the stored figures and of those computed from the rows. They are equal if the figures are. */
  readonly expected: string;
  readonly found: string;
}

export interface ClosedMonthSource {
  /** Returns the CLOSED months of a wallet, or only those in a range, latest first. */
  listClosedMonths(wallet: WalletId, range?: MonthRange): Promise<readonly ClosedMonthFacts[]>;
  /** Computes a closed month again from its rows. Returns undefined if it is no longer closed. */
  recomputeMonth(scope: StatementScope, month: string): Promise<Recomputation | undefined>;
}

/**
 * Compares closed months, latest first, with the sums of their rows. The first month is computed again if
 * `recomputesFirst`, and so is each month whose rows do not add up to its figures.
 */
export async function compareMonths(
  scope: StatementScope,
  months: readonly ClosedMonthFacts[],
  tallies: Readonly<Record<string, MonthTally>>,
  source: ClosedMonthSource,
  recomputesFirst: boolean,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const [index, facts] of months.entries()) {
    const stored = tallyText(facts);
    const counted = tallyText(tallies[facts.month] ?? NO_LINES);
    if ((index > 0 || !recomputesFirst) && stored === counted) continue;
    const again = await source.recomputeMonth(scope, facts.month);
    if (again) found.push(...differencesOf(scope.wallet, facts.month, again, { stored, counted }));
  }
  return found;
}

/** Returns a difference if the charge was decided after the closing of its request's month had begun. */
export function lateCharge(row: ChargeRow, months: readonly ClosedMonthFacts[]): Difference[] {
  const month = accountingMonthOf(Date.parse(row.requestedAt));
  const closed = months.find((one) => one.month === month);
  if (!closed || row.decidedAt <= closed.startedAt) return [];
  return [difference('late-charge', row.wallet, operationSubject(row), closed.startedAt, row.decidedAt)];
}

export const NO_LINES: MonthTally = { toppedUp: 0, corrected: 0, charged: 0, lines: 0 };

function tallyText({ toppedUp, corrected, charged, lines }: MonthTally): string {
  return `${lines} lines: topped up ${toppedUp}, corrected ${corrected}, charged ${charged}`;
}

function differencesOf(
  wallet: WalletId,
  month: string,
  { lateCredits, expected, found }: Recomputation,
  { stored, counted }: { readonly stored: string; readonly counted: string },
): Difference[] {
  const day = `${month}-01`;
  const late = lateCredits.map((reference) =>
    difference('late-credit', wallet, { day, reference }, 'none', `a credit of ${month}`),
  );
  if (late.length > 0) return late;
  if (stored !== counted) return [difference('closed-month', wallet, { day }, stored, counted)];
  return expected === found ? [] : [difference('closed-month', wallet, { day }, expected, found)];
}
