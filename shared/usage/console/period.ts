import {
  accountingMonthOf,
  dayPlus,
  daysBetween,
  lagosDay,
  monthAfter,
  monthBefore,
} from '../../core/accounting-month.ts';
import { invalidSchema } from '../../core/errors.ts';
import { requireDayOrder } from '../../http/console/day-query.ts';

/** Days in Africa/Lagos, both inclusive. */
export interface Period {
  /** If they are a month. */
  readonly month?: string;
  readonly from: string;
  readonly to: string;
}

/** As long as three months can be. */
const MOST_DAYS = 92;

/** The days, the month, or the current month. Without `from`, days begin with the month of `to`. */
export function periodOf(
  { month, from, to }: { readonly month?: string | undefined; readonly from: string; readonly to: string },
  nowMs: number,
): Period {
  if (!from && !to) return monthPeriod(month ?? accountingMonthOf(nowMs));
  const today = lagosDay(nowMs);
  const last = to && to < today ? to : today;
  const first = from || `${last.slice(0, 7)}-01`;
  requireDayOrder(first, last);
  if (daysBetween(first, last).length > MOST_DAYS)
    throw invalidSchema(
      'wrong_value',
      'from',
      `The period has more than ${MOST_DAYS} days.`,
      'Enter a later From or an earlier To.',
    );
  return { from: first, to: last };
}

/** The month before a month, or as many days before the first one. */
export function previousOf({ month, from, to }: Period): Period {
  if (month !== undefined) return monthPeriod(monthBefore(month));
  return { from: dayPlus(from, -daysBetween(from, to).length), to: dayPlus(from, -1) };
}

export function monthPeriod(month: string): Period {
  return { month, from: `${month}-01`, to: dayPlus(`${monthAfter(month)}-01`, -1) };
}
