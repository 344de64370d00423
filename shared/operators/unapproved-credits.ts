import * as v from 'valibot';
import { personOf } from '../audit/approval.ts';
import type { TransactItem } from '../audit/audit-table.ts';
import { DAY_MS } from '../core/clock.ts';
import { change, readRow, update, where } from '../core/expressions.ts';
import { unapprovedCreditsKey } from '../core/keys.ts';
import type { ActionContext } from './action.ts';
import type { ApprovedOrder } from './operations/approved-order.ts';

const KEPT_MS = 7 * DAY_MS;

export const unapprovedCreditsRow = v.object({
  /** Whole credits of top-ups, credit notes and booked reversals, for all organisations. */
  credits: v.number(),
  /** Epoch seconds. */
  expiresAt: v.number(),
});

/** Undefined if the change is not limited by its credits. */
export function limitedCredits(order: ApprovedOrder): number | undefined {
  if (order.work === 'credit') return order.kind === 'TOP_UP' ? order.amount : undefined;
  return order.work === 'credit-note' || order.work === 'reversal' ? order.credits : undefined;
}

/**
 * The credits that the caller has booked without a second person on this UTC day, in Approvals: `UNAPPROVED#<person>` /
 * `<day>`.
 */
export function unapprovedCredits({ actor, clock, deployment }: ActionContext) {
  const { client, tables } = deployment;
  const nowMs = clock.nowMs();
  const key = unapprovedCreditsKey(personOf(actor), new Date(nowMs).toISOString().slice(0, 10));
  return {
    today: async () => (await readRow(client, unapprovedCreditsRow, tables.approvals, key))?.credits ?? 0,
    /** For the transaction of the booking, so that only what is booked counts, and parallel bookings keep to the limit. */
    countItem: (credits: number, limit: number): TransactItem =>
      update(
        tables.approvals,
        key,
        change`SET expiresAt = ${Math.ceil((nowMs + KEPT_MS) / 1000)} ADD credits ${credits}`,
        where`attribute_not_exists(pk) OR credits <= ${limit - credits}`,
      ),
  };
}
