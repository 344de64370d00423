import { accountingMonthOf } from '../../core/accounting-month.ts';
import { type WalletId, walletName } from '../../core/keys.ts';
import type { StatementScope } from '../statement/read-statement.ts';
import { type ChargeRow, type CreditRow, type Difference, difference, operationSubject } from './rows.ts';

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

interface ClosedWallet {
  readonly months: readonly ClosedMonthFacts[];
  readonly tallies: Map<string, { -readonly [name in keyof MonthTally]: number }>;
}

/** The closed months of all wallets, and the sums of their rows. Rows are added one by one in any order. */
export class ClosedMonths {
  readonly #wallets = new Map<string, ClosedWallet>();
  readonly #late: Difference[] = [];

  addWallet(wallet: WalletId, months: readonly ClosedMonthFacts[]): void {
    if (months.length > 0) this.#wallets.set(walletName(wallet), { months, tallies: new Map() });
  }

  addCredit({ wallet, kind, amount, createdAt }: CreditRow): void {
    const tally = this.#tallyOf(wallet, createdAt);
    if (!tally) return;
    tally.lines += 1;
    tally[kind === 'TOP_UP' ? 'toppedUp' : 'corrected'] += amount;
  }

  addCharge(row: ChargeRow): void {
    if (row.state !== 'CHARGED') return;
    const tally = this.#tallyOf(row.wallet, row.decidedAt);
    if (tally) {
      tally.lines += 1;
      tally.charged += row.cost;
    }
    this.#late.push(...lateCharge(row, this.#wallets.get(walletName(row.wallet))?.months ?? []));
  }

  /** Sets the sums of a wallet's rows, by month, instead of adding the rows one by one. */
  addTallies(wallet: WalletId, tallies: Readonly<Record<string, MonthTally>>): void {
    const closed = this.#wallets.get(walletName(wallet));
    for (const [month, tally] of Object.entries(tallies)) closed?.tallies.set(month, { ...tally });
  }

  /**
   * Returns the differences of a wallet. Its last closed month is computed again, unless `recomputesLast` is false, and
   * so is each month whose rows do not add up to its figures.
   */
  async differences(
    scope: StatementScope,
    source: ClosedMonthSource,
    recomputesLast = true,
  ): Promise<Difference[]> {
    const closed = this.#wallets.get(walletName(scope.wallet));
    const found: Difference[] = [];
    for (const [index, facts] of (closed?.months ?? []).entries()) {
      const stored = tallyText(facts);
      const counted = tallyText(closed?.tallies.get(facts.month) ?? NO_LINES);
      if ((index > 0 || !recomputesLast) && stored === counted) continue;
      const again = await source.recomputeMonth(scope, facts.month);
      if (again) found.push(...differencesOf(scope.wallet, facts.month, again, { stored, counted }));
    }
    return found;
  }

  get lateCharges(): readonly Difference[] {
    return this.#late;
  }

  #monthOf(wallet: WalletId, time: string): ClosedMonthFacts | undefined {
    const closed = this.#wallets.get(walletName(wallet));
    const month = closed && accountingMonthOf(Date.parse(time));
    return closed?.months.find((one) => one.month === month);
  }

  #tallyOf(wallet: WalletId, time: string) {
    const facts = this.#monthOf(wallet, time);
    const tallies = this.#wallets.get(walletName(wallet))?.tallies;
    if (!facts || !tallies) return undefined;
    const tally = tallies.get(facts.month) ?? { ...NO_LINES };
    tallies.set(facts.month, tally);
    return tally;
  }
}

/** Returns a difference if the charge was decided after the closing of its request's month had begun. */
export function lateCharge(row: ChargeRow, months: readonly ClosedMonthFacts[]): Difference[] {
  const month = accountingMonthOf(Date.parse(row.requestedAt));
  const closed = months.find((one) => one.month === month);
  if (!closed || row.decidedAt <= closed.startedAt) return [];
  return [difference('late-charge', row.wallet, operationSubject(row), closed.startedAt, row.decidedAt)];
}

const NO_LINES: MonthTally = { toppedUp: 0, corrected: 0, charged: 0, lines: 0 };

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
