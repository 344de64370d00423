import { type Columns, type Report, report, WHOSE } from './report.ts';
import { figuresOf, type WalletMonth, whose } from './wallet-month.ts';

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
    const lots = new Map(one.lots.map((lot) => [lot.id, lot]));
    const orders = new Map(one.orders.map((order) => [order.reference, order]));
    return (figuresOf(one)?.lots ?? []).map((use) => {
      const lot = lots.get(use.lot);
      const order = orders.get(lot?.order ?? '');
      const { koboPerCredit } = use;
      const added = lot?.month === one.month ? use.opening : 0;
      return {
        ...whose(one),
        month: one.month,
        lot: use.lot,
        kind: use.kind,
        bought_at: lot?.createdAt ?? '',
        expires_at: lot?.expiresAt ?? '',
        credit_reference: lot?.reference ?? '',
        order: lot?.order ?? '',
        invoice: lot?.invoice ?? '',
        payment_method: order?.method ?? '',
        payment_reference: order?.payment?.providerReference ?? '',
        paid_at: order?.payment?.paidAt ?? '',
        price_kobo: koboPerCredit,
        opening_credits: use.opening - added,
        added_credits: added,
        consumed_credits: use.consumed,
        refunded_credits: use.refunded,
        expired_credits: use.expired,
        closing_credits: use.closing,
        paid_kobo: added * koboPerCredit,
        earned_kobo: use.consumed * koboPerCredit,
        refunded_kobo: use.refunded * koboPerCredit,
        expired_kobo: use.expired * koboPerCredit,
        deferred_kobo: use.closing * koboPerCredit,
      };
    });
  });
  return report('lots', LOTS, rows);
}
