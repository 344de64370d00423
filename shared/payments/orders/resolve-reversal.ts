import { accountingMonthOf } from '../../core/accounting-month.ts';
import type { Clock } from '../../core/clock.ts';
import { notPossible } from '../../core/not-possible.ts';
import type { LotTable } from '../lots/lot-table.ts';
import type { ClosingTable } from '../months/closing-table.ts';
import type { ReversalBooking, TopUpOrder } from './order.ts';
import type { OrderTable } from './order-table.ts';
import { isReversed, type OpenReversal, openReversal } from './reversal.ts';

/** Error messages are for the operator. */

interface ReversalDependencies {
  readonly lots: Pick<LotTable, 'listLots'>;
  readonly orders: Pick<OrderTable, 'moveOrder'>;
  readonly closings: Pick<ClosingTable, 'requireOpen' | 'getClosing'>;
  readonly clock: Clock;
}

export interface ReversalRequest {
  readonly as: ReversalBooking;
  readonly reason: string;
  readonly actor: string;
  /** The open amount that the operator confirmed, in kobo with VAT. */
  readonly totalKobo: number;
}

/** Returns the open part of an order's reversed payment. Undefined if nothing is open. */
export async function findOpenReversal(
  order: TopUpOrder,
  { lots }: Pick<ReversalDependencies, 'lots'>,
): Promise<OpenReversal | undefined> {
  if (!isReversed(order)) return undefined;
  const lot = (await lots.listLots(order)).find(({ id }) => id === order.lot);
  return openReversal(order, lot);
}

/** Returns the open part of an order's reversed payment. Throws if nothing is open. */
export async function requireOpenReversal(
  order: TopUpOrder,
  deps: Pick<ReversalDependencies, 'lots'>,
): Promise<OpenReversal> {
  const open = await findOpenReversal(order, deps);
  if (open) return open;
  throw notPossible(
    `The order ${order.reference} has no reversed payment that is open. Nothing was changed.`,
  );
}

/** Ends the problem of an order: a person has returned the money, or booked the credits. Moves neither. */
export async function resolveProblem(
  before: TopUpOrder,
  { reason, actor }: Pick<ReversalRequest, 'reason' | 'actor'>,
  { orders, clock }: Pick<ReversalDependencies, 'orders' | 'clock'>,
): Promise<TopUpOrder> {
  const { reference } = before;
  const { problem, ...rest } = before;
  if (problem === undefined) throw notPossible(`The order ${reference} has no problem. Nothing was changed.`);
  if (isReversed(before))
    throw notPossible(
      `The payment of the order ${reference} was reversed. Take the unspent credits back with \`credit-note create --paid-back\`, and book the rest with \`--as loss\` or \`--as receivable\`. Nothing was changed.`,
    );
  const resolvedAt = new Date(clock.nowMs()).toISOString();
  const after = { ...rest, resolution: reason, resolvedAt, resolvedBy: actor };
  if (await orders.moveOrder(before, after)) return { ...after, version: before.version + 1 };
  throw notPossible(`The order ${reference} was changed at the same time. Run the same command again.`);
}

/**
 * Books the open part of a reversed payment as a loss or a receivable, in the current month. This moves neither credits
 * nor money, and ends the problem of the order. `before` must have been read before the call.
 */
export async function resolveReversal(
  before: TopUpOrder,
  { as, reason, actor, totalKobo }: ReversalRequest,
  deps: ReversalDependencies,
): Promise<TopUpOrder> {
  const { credits: _, ...amounts } = await requireOpenReversal(before, deps);
  if (amounts.totalKobo !== totalKobo)
    throw notPossible('The open amount has changed. Nothing was changed. Run the same command again.');
  // Not before the reversal, even if the clock is behind.
  const nowMs = Math.max(deps.clock.nowMs(), Date.parse(before.reversedAt ?? before.openedAt));
  const month = accountingMonthOf(nowMs);
  const { problem: __, ...rest } = before;
  const booked = { as, ...amounts, at: new Date(nowMs).toISOString(), month, by: actor };
  const after = { ...rest, resolution: reason, bookedReversal: booked };
  // A credit note moves the order too, so the amount cannot change in the meantime.
  if (await deps.orders.moveOrder(before, after, [deps.closings.requireOpen(before, month)]))
    return { ...after, version: before.version + 1 };
  const closing = await deps.closings.getClosing(before, month);
  if (closing && closing.state !== 'REOPENED')
    throw notPossible(
      `The month ${month} of this wallet is closed, so nothing can be booked into it. Check the clock, or reopen the month. Nothing was changed.`,
    );
  throw notPossible(
    `The order ${before.reference} was changed at the same time. Run the same command again.`,
  );
}
