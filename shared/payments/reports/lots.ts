import { valueInMonth } from '../lots/lot-value.ts';
import { type Columns, type Report, report, WHOSE } from './report.ts';
import { lotUsesOf, type WalletMonth, whose } from './wallet-month.ts';

/** From the figures of a closed month to lot, credit, order, invoice and payment. */

const LOTS = {
  ...WHOSE,
  month: 'text',
  lot: 'text',
  kind: 'text',
  bought_at: 'text',
  expires_at: 'text',
  credit_reference: 'text',
  order: 'text',
  invoice: 'text',
  payment_method: 'text',
  payment_reference: 'text',
  paid_at: 'text',
  price_kobo: 'price',
  opening_credits: 'count',
  added_credits: 'count',
  consumed_credits: 'count',
  refunded_credits: 'count',
  expired_credits: 'count',
  closing_credits: 'count',
  paid_kobo: 'kobo',
  earned_kobo: 'kobo',
  refunded_kobo: 'kobo',
  expired_kobo: 'kobo',
  deferred_kobo: 'kobo',
} as const satisfies Columns;

/**
 * One row for each lot that had credits. The amounts add up to those of `customers`. A lot that was added in the month
 * opens with 0.
 */
export function lotsReport(months: readonly WalletMonth[]): Report {
  const rows = months.flatMap((one) => {
    const orders = new Map(one.orders.map((order) => [order.reference, order]));
    return lotUsesOf(one).map(({ lot, use }) => {
      const value = valueInMonth(lot, one.month, use);
      const order = orders.get(lot.order ?? '');
      const added = lot.month === one.month ? use.opening : 0;
      return {
        ...whose(one),
        month: one.month,
        lot: use.lot,
        kind: use.kind,
        bought_at: lot.createdAt,
        expires_at: lot.expiresAt ?? '',
        credit_reference: lot.reference,
        order: lot.order ?? '',
        invoice: lot.invoice ?? '',
        payment_method: order?.method ?? '',
        payment_reference: order?.payment?.providerReference ?? '',
        paid_at: order?.payment?.paidAt ?? '',
        price_kobo: lot.koboPerCredit,
        opening_credits: use.opening - added,
        added_credits: added,
        consumed_credits: use.consumed,
        refunded_credits: use.refunded,
        expired_credits: use.expired,
        closing_credits: use.closing,
        paid_kobo: lot.month === one.month ? lot.netKobo : 0,
        earned_kobo: value.earnedKobo,
        refunded_kobo: value.refundedKobo,
        expired_kobo: value.expiredKobo,
        deferred_kobo: value.deferredKobo,
      };
    });
  });
  return report('lots', LOTS, rows);
}
