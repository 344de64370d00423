import { monthBefore, monthEndMs, monthStartMs } from '../../core/accounting-month.ts';
import type { Lot } from '../lots/lot.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { isReversed, notTakenBack } from '../orders/reversal.ts';
import { type Columns, type Report, report, WHOSE } from './report.ts';
import { type WalletMonth, whose } from './wallet-month.ts';

const REVERSALS = {
  ...WHOSE,
  month: 'text',
  reversed_at: 'text',
  order: 'text',
  invoice: 'text',
  payment_reference: 'text',
  total_kobo: 'kobo',
  taken_back_kobo: 'kobo',
  loss_kobo: 'kobo',
  receivable_kobo: 'kobo',
  open_kobo: 'kobo',
  reason: 'text',
} as const satisfies Columns;

/**
 * One row for each reversed payment that was found in the month, or was open at its start. With VAT, at the end of the
 * month: total = taken back + loss + receivable + open.
 */
export function reversalsReport(months: readonly WalletMonth[]): Report {
  const rows = months.flatMap((one) =>
    one.orders.flatMap((order) => {
      const lot = one.lots.find(({ id }) => id === order.lot);
      return lot ? reversalRows(one, order, lot) : [];
    }),
  );
  return report('reversals', REVERSALS, rows);
}

function reversalRows(one: WalletMonth, order: TopUpOrder, lot: Lot) {
  const { month } = one;
  const { reversedAt = order.creditedAt ?? order.openedAt, bookedReversal: booked } = order;
  if (!isReversed(order) || Date.parse(reversedAt) >= monthEndMs(month)) return [];
  const isNew = Date.parse(reversedAt) >= monthStartMs(month);
  if (!isNew && openKobo(order, lot, monthBefore(month)) === 0) return [];
  const bookedKobo = (as: string) => (booked?.as === as && booked.month <= month ? booked.totalKobo : 0);
  return [
    {
      ...whose(one),
      month,
      reversed_at: reversedAt,
      order: order.reference,
      invoice: order.invoice ?? '',
      payment_reference: order.payment?.providerReference ?? '',
      total_kobo: order.totalKobo,
      taken_back_kobo: order.totalKobo - notTakenBack(lot, month).totalKobo,
      loss_kobo: bookedKobo('loss'),
      receivable_kobo: bookedKobo('receivable'),
      open_kobo: openKobo(order, lot, month),
      reason: booked && booked.month <= month ? (order.resolution ?? '') : '',
    },
  ];
}

function openKobo({ bookedReversal: booked }: TopUpOrder, lot: Lot, month: string): number {
  return booked && booked.month <= month ? 0 : notTakenBack(lot, month).totalKobo;
}
