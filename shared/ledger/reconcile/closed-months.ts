import { accountingMonthOf } from '../../core/accounting-month.ts';
import type { WalletId } from '../../core/keys.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import { type ChargeRow, type Difference, difference, operationSubject } from './rows.ts';
import { NO_XOR } from './tally.ts';

/**
 * The closings belong to payments, which the ledger does not import, so the reconciliation receives a source of them.
 */

export interface MonthTally {
  readonly toppedUp: number;
  readonly corrected: number;
  readonly charged: number;
  readonly lines: number;
  /** XOR of their hashes (`lineHash`). Absent in seals and closings of earlier versions. */
  readonly linesXor?: string | undefined;
}

export interface ClosedMonthFacts extends MonthTally {
  /** An accounting month, `yyyy-mm`. */
  readonly month: string;
  /** ISO time from which nothing could be booked into the month. */
  readonly startedAt: string;
  /** Equal if the figures are. */
  readonly figures: string;
}

/** Accounting months, `yyyy-mm`, both inclusive. */
export interface MonthRange {
  readonly from: string;
  readonly to: string;
}

interface Recomputation {
  /** The closing cannot have counted them, because they are in no lot. */
  readonly lateCredits: readonly string[];
  /** Equal if the figures are. */
  readonly expected: string;
  readonly found: string;
}

export interface ClosedMonthSource {
  /** CLOSED months only, latest first. */
  listClosedMonths(wallet: WalletId, range?: MonthRange): Promise<readonly ClosedMonthFacts[]>;
  /** Returns undefined if it is no longer closed. */
  recomputeMonth(scope: StatementScope, month: string): Promise<Recomputation | undefined>;
}

/**
 * Compares closed months with the sums of their rows. Computes again each month that differs, or all if
 * `recomputes`.
 */
export async function compareMonths(
  scope: StatementScope,
  months: readonly ClosedMonthFacts[],
  tallies: Readonly<Record<string, MonthTally>>,
  source: ClosedMonthSource,
  recomputes: boolean,
): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const facts of months) {
    const tally = tallies[facts.month] ?? NO_LINES;
    const hasXor = facts.linesXor !== undefined && tally.linesXor !== undefined;
    const [stored = '', counted = ''] = [facts, tally].map((one) => tallyText(one, hasXor));
    if (!recomputes && stored === counted) continue;
    const again = await source.recomputeMonth(scope, facts.month);
    if (again) found.push(...differencesOf(scope.wallet, facts.month, again, { stored, counted }));
  }
  return found;
}

/** Returns a difference if the charge was decided after its month began to close. */
export function lateCharge(row: ChargeRow, months: readonly ClosedMonthFacts[]): Difference[] {
  const month = accountingMonthOf(Date.parse(row.requestedAt));
  const closed = months.find((one) => one.month === month);
  if (!closed || row.decidedAt <= closed.startedAt) return [];
  return [difference('late-charge', row.wallet, operationSubject(row), closed.startedAt, row.decidedAt)];
}

export const NO_LINES: MonthTally = { toppedUp: 0, corrected: 0, charged: 0, lines: 0, linesXor: NO_XOR };

function tallyText({ toppedUp, corrected, charged, lines, linesXor }: MonthTally, hasXor: boolean): string {
  const text = `${lines} lines: topped up ${toppedUp}, corrected ${corrected}, charged ${charged}`;
  return hasXor ? `${text}, hash ${linesXor}` : text;
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
