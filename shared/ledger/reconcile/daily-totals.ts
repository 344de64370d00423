import { chargePk, type WalletId, walletName } from '../../core/keys.ts';
import { factText, logWithoutCharge, type OperationFact } from './operation-facts.ts';
import { type Difference, dayOf, difference, operationSubject, operationTimeMs } from './rows.ts';
import { addToTally, emptyTally, type Tally, tallyText } from './tally.ts';

/**
 * Compares the charge rows and log rows of the same operations, day by day. Millions of rows are compared in little
 * memory: only the count, the cost and a combination of the rows' fingerprints are kept for each wallet and day. They
 * are the same for equal sets. If they differ, the rows of that day are read again and compared one by one.
 */

interface DayTallies {
  readonly wallet: WalletId;
  readonly day: string;
  readonly charges: Tally;
  readonly logs: Tally;
}

type DaySide = 'charges' | 'logs';

export class DailyTotals {
  readonly #days = new Map<string, DayTallies>();

  add(side: DaySide, fact: OperationFact): void {
    const key = dayKey(fact);
    let tallies = this.#days.get(key);
    if (!tallies) {
      const day = dayOf(operationTimeMs(fact));
      tallies = { wallet: fact.wallet, day, charges: emptyTally(), logs: emptyTally() };
      this.#days.set(key, tallies);
    }
    addToTally(tallies[side], fact.credits, factKeyText(fact));
  }

  /**
   * Returns the days that differ, newest first. `named` contains the keys of the newest days, with at most `maxRows`
   * rows in total, whose rows are to be compared one by one. Every other day is reported as a whole.
   */
  differing(maxRows: number): { readonly named: ReadonlySet<string>; readonly whole: readonly Difference[] } {
    const differing = [...this.#days].filter(([, day]) => tallyText(day.charges) !== tallyText(day.logs));
    differing.sort(([, a], [, b]) => b.day.localeCompare(a.day));
    const named = new Set<string>();
    const whole: Difference[] = [];
    let rows = 0;
    for (const [key, day] of differing) {
      rows += day.charges.count + day.logs.count;
      if (rows <= maxRows) named.add(key);
      else whole.push(wholeDay(day));
    }
    return { named, whole };
  }
}

function wholeDay({ wallet, day, charges, logs }: DayTallies): Difference {
  const text = ({ count, credits }: Tally) => `${count} rows, ${credits} credits`;
  return difference('day-totals', wallet, { day }, text(charges), text(logs));
}

/** Returns a key for the wallet and the day of an operation, which is the same for all its rows. */
export function dayKey(fact: Pick<OperationFact, 'wallet' | 'operationId'>): string {
  return `${walletName(fact.wallet)} ${dayOf(operationTimeMs(fact))}`;
}

/**
 * Returns a difference for each operation that lacks its charge row or its log row, or whose rows do not agree.
 * Compares only the first of several log rows.
 */
export function compareOperations(
  charges: readonly OperationFact[],
  logs: readonly OperationFact[],
): Difference[] {
  const logsOf = Map.groupBy(logs, keyOf);
  const found = charges.flatMap((charge) => compareOperation(charge, logsOf.get(keyOf(charge)) ?? []));
  const charged = new Set(charges.map(keyOf));
  const orphans = logs.filter((log) => !charged.has(keyOf(log)));
  return [...found, ...orphans.map(logWithoutCharge)];
}

function compareOperation(charge: OperationFact, logs: readonly OperationFact[]): Difference[] {
  const subject = operationSubject(charge);
  const [log] = logs;
  if (!log) return [difference('charge-without-log', charge.wallet, subject, factText(charge), 'none')];
  return factKeyText(log) === factKeyText(charge)
    ? []
    : [difference('log-disagrees', charge.wallet, subject, factText(charge), factText(log))];
}

function keyOf({ wallet, operationId }: OperationFact): string {
  return chargePk(wallet, operationId);
}

/** Returns the operation and its facts as text, which is the same for both rows of an operation if they agree. */
export function factKeyText(fact: OperationFact): string {
  return `${keyOf(fact)} ${factText(fact)}`;
}
