import type { Clock } from '../../core/clock.ts';
import type { Environment } from '../../core/environment.ts';
import type { LotTable } from '../lots/lot-table.ts';
import { isPaidByBank, type Refund } from '../refunds/refund.ts';
import type { RefundTable } from '../refunds/refund-table.ts';
import type { TopUpOrder } from './order.ts';
import type { OrderTable } from './order-table.ts';
import { findOpenReversal } from './resolve-reversal.ts';
import type { ReviewTable } from './review-table.ts';

/** Lists the payments that a person must review. */

export interface ReviewDependencies {
  readonly review: ReviewTable;
  readonly orders: Pick<OrderTable, 'getOrder'>;
  readonly refunds: Pick<RefundTable, 'getRefund'>;
  readonly lots: Pick<LotTable, 'listLots'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface PaymentToReview {
  readonly env: Environment;
  readonly organisationId: string;
  /** The reference of the order. */
  readonly order: string;
  /** The number of the credit note, if the entry is about a refund. */
  readonly creditNote?: string;
  readonly totalKobo: number;
  /** The part of a reversed payment that is neither covered by credit notes nor booked. */
  readonly openKobo?: number;
  /** A sentence that says what is wrong, or what to do. */
  readonly problem: string;
  /** Whether something went wrong. A refund that finance pays by bank transfer is work, but not a fault. */
  readonly isFault: boolean;
}

/** A paid order is credited within seconds, and by the sweep within minutes if a function was killed. */
const CREDITED_WITHIN_MS = 10 * 60_000;

/** Returns the payments that a person must review now, faults first. */
export async function reviewPayments(deps: ReviewDependencies): Promise<PaymentToReview[]> {
  const [{ orders, refunds }, paid] = await Promise.all([deps.review.listReview(), deps.review.listPaid()]);
  const nowMs = deps.clock.nowMs();
  const found = await Promise.all([
    ...[...orders, ...paid].map(async ({ env, reference }) =>
      ofOrder(await deps.orders.getOrder(env, reference), deps, nowMs),
    ),
    ...refunds.map(async (ref) => ofRefund(await deps.refunds.getRefund(ref))),
  ]);
  return found.flat().sort((a, b) => Number(b.isFault) - Number(a.isFault));
}

async function ofOrder(
  order: TopUpOrder | undefined,
  deps: Pick<ReviewDependencies, 'lots'>,
  nowMs: number,
): Promise<PaymentToReview[]> {
  if (!order) return [];
  const { env, organisationId, reference, totalKobo, state, payment } = order;
  const entry = { env, organisationId, order: reference, totalKobo, isFault: true };
  if (order.problem !== undefined) {
    const open = await findOpenReversal(order, deps);
    return [{ ...entry, ...(open && { openKobo: open.totalKobo }), problem: order.problem }];
  }
  if (state === 'MISMATCH' && order.resolution === undefined)
    return [{ ...entry, problem: 'The payment differs from the order.' }];
  if (state !== 'PAID' || nowMs - Date.parse(payment?.paidAt ?? order.openedAt) < CREDITED_WITHIN_MS)
    return [];
  return [
    { ...entry, problem: 'The order was paid at least 10 minutes ago, but its credits have not been added.' },
  ];
}

function ofRefund(refund: Refund | undefined): PaymentToReview[] {
  if (!refund) return [];
  const { env, organisationId, order, creditNote, totalKobo } = refund;
  const entry = { env, organisationId, order, creditNote, totalKobo };
  if (refund.problem !== undefined) return [{ ...entry, isFault: true, problem: refund.problem }];
  if (!isPaidByBank(refund)) return [];
  return [{ ...entry, isFault: false, problem: 'Pay the money back by bank transfer.' }];
}
