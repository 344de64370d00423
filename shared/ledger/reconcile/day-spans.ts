import * as v from 'valibot';
import { accountingMonthOf } from '../../core/accounting-month.ts';
import { sortByTime } from '../../core/keys.ts';
import type { StatementEntry } from '../statement/statement.ts';
import type { ChargeRow, CreditRow } from './rows.ts';

/**
 * The lines of a sealed day, shortened to what decides which lots they used (contract P1): one span for all charges
 * between two bookings, and one for each negative correction of an operator.
 */
const span = v.object({
  /** ISO time of its first line. */
  at: v.string(),
  /** Whole credits, negative. */
  amount: v.number(),
  /** Of a correction. */
  reference: v.optional(v.string()),
});
export const spans = v.array(span);
type Spans = v.InferOutput<typeof spans>;

/** More would need too much memory, or be too large for a seal. */
const MOST_LINES = 200_000;
const MOST_SPANS = 4_000;

interface Line {
  readonly sort: string;
  readonly at: string;
  readonly amount: number;
  readonly kind: 'charge' | 'correction' | 'booking';
  readonly reference: string;
}

export class DaySpans {
  readonly #lines: Line[] = [];

  /** In any order. */
  add(row: ChargeRow | CreditRow): void {
    if (this.#lines.length > MOST_LINES) return;
    const { statementSort: sort = '' } = row;
    if (row.sk === 'CHARGE') {
      this.#lines.push({ sort, at: row.decidedAt, amount: -row.cost, kind: 'charge', reference: '' });
      return;
    }
    const { createdAt: at, amount, cause, reference } = row;
    const kind = amount < 0 && cause === undefined ? 'correction' : 'booking';
    // A lot exists for the charges of its millisecond.
    const from = kind === 'booking' ? sortByTime(at, '') : sort;
    this.#lines.push({ sort: from, at, amount, kind, reference });
  }

  /** Undefined if there are too many. */
  end(): Spans | undefined {
    if (this.#lines.length > MOST_LINES) return undefined;
    const found = spansOf(this.#lines.sort((a, b) => (a.sort < b.sort ? -1 : 1)));
    return found.length > MOST_SPANS ? undefined : found;
  }
}

function spansOf(lines: readonly Line[]): Spans {
  const found: { at: string; amount: number; reference?: string }[] = [];
  let open: { at: string; amount: number } | undefined;
  const monthOf = (at: string) => accountingMonthOf(Date.parse(at));
  for (const { at, amount, kind, reference } of lines) {
    // A charge uses only lots that exist.
    if (kind !== 'charge') open = undefined;
    else if (open && monthOf(open.at) === monthOf(at)) open.amount += amount;
    else {
      open = { at, amount };
      found.push(open);
    }
    if (kind === 'correction') found.push({ at, amount, reference });
  }
  return found;
}

/** As if a span were one line. */
export function entryOfSpan({ at, amount, reference }: Spans[number]): StatementEntry {
  const line = { sort: at, createdAt: at, id: reference ?? at, amount };
  if (reference === undefined)
    return { ...line, debit: { requestId: '', service: '', keyLabel: '', provider: '' } };
  return { ...line, credit: { kind: 'CORRECTION', reason: '', actor: '', effectiveAt: at } };
}
