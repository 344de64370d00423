import { monthEndMs } from '../../core/accounting-month.ts';
import { DAY_MS } from '../../core/clock.ts';
import { isPriced } from '../lots/consume-lots.ts';
import { valueInMonth } from '../lots/lot-value.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { type Columns, CURRENCY, type Report, report, sum, WHOSE } from './report.ts';
import { lotUsesOf, type WalletMonth, whose } from './wallet-month.ts';

/** At the end of a month. */

const AGED_BALANCES = {
  ...WHOSE,
  month: 'text',
  balance: 'text',
  age_days: 'text',
  items: 'count',
  credits: 'count',
  amount_kobo: 'kobo',
} as const satisfies Columns;

/** In days, the end is exclusive. */
const AGES = [
  [31, '0-30'],
  [61, '31-60'],
  [91, '61-90'],
  [181, '91-180'],
  [366, '181-365'],
  [Number.POSITIVE_INFINITY, 'over 365'],
] as const;

/** One item of a balance. */
interface Item {
  readonly since: string;
  readonly credits: number;
  readonly amountKobo: number;
  /** @default naira */
  readonly currency?: string;
}

/**
 * At the end of the month, whatever has happened since. `DEFERRED`: what is left of paid lots of a closed month, without
 * VAT, from the purchase on. The others are with VAT. `UNPAID_ORDER`: orders that can be paid. `UNAPPLIED_CASH`: money
 * received whose credits are not booked and whose mismatch is not resolved. `UNPAID_REFUND`: money to return.
 */
export function agedBalancesReport(months: readonly WalletMonth[]): Report {
  const rows = months.flatMap((one) => [
    ...agesOf(one, 'DEFERRED', deferredItems(one)),
    ...agesOf(one, 'UNPAID_ORDER', unpaidItems(one)),
    ...agesOf(one, 'UNAPPLIED_CASH', unappliedItems(one)),
    ...agesOf(one, 'UNPAID_REFUND', refundItems(one)),
  ]);
  return report('aged-balances', AGED_BALANCES, rows);
}

function agesOf(one: WalletMonth, balance: string, items: readonly Item[]) {
  const endMs = monthEndMs(one.month);
  const byCurrency = Map.groupBy(items, ({ currency = CURRENCY }) => currency);
  return [...byCurrency].flatMap(([currency, ofCurrency]) => {
    const byAge = Map.groupBy(ofCurrency, ({ since }) => ageOf((endMs - Date.parse(since)) / DAY_MS));
    return AGES.flatMap(([, age]) => {
      const ofAge = byAge.get(age) ?? [];
      if (ofAge.length === 0) return [];
      const credits = sum(ofAge, (item) => item.credits);
      // Other currencies cannot be added to naira.
      const amount = currency === CURRENCY ? sum(ofAge, (item) => item.amountKobo) : '';
      const totals = { items: ofAge.length, credits, amount_kobo: amount } as const;
      return [{ ...whose(one), currency, month: one.month, balance, age_days: age, ...totals }];
    });
  });
}

function ageOf(days: number): string {
  return AGES.find(([before]) => days < before)?.[1] ?? '';
}

function deferredItems(one: WalletMonth): Item[] {
  return lotUsesOf(one).flatMap(({ lot, use }) => {
    if (!isPriced(lot) || use.closing <= 0) return [];
    const { deferredKobo } = valueInMonth(lot, one.month, use);
    return [{ since: lot.createdAt, credits: use.closing, amountKobo: deferredKobo }];
  });
}

function unpaidItems({ month, orders }: WalletMonth): Item[] {
  const isBefore = beforeEnd(month);
  return orders
    .filter(
      (order) =>
        isBefore(order.openedAt) && !isBefore(order.payment?.paidAt) && !isBefore(endOfPayment(order)),
    )
    .map(({ openedAt, credits, totalKobo }) => ({ since: openedAt, credits, amountKobo: totalKobo }));
}

/** From which the customer is not expected to pay. */
function endOfPayment({ state, openedAt, failedAt, expiresAt }: TopUpOrder): string {
  // Earlier versions did not store the time of the failure.
  const failed = failedAt ?? (state === 'FAILED' ? openedAt : undefined);
  return failed !== undefined && failed < expiresAt ? failed : expiresAt;
}

function unappliedItems({ month, orders }: WalletMonth): Item[] {
  const isBefore = beforeEnd(month);
  return orders.flatMap(({ payment, credits, creditedAt, resolution, resolvedAt }) => {
    // Earlier versions did not store the time of the resolution.
    const isResolved = resolvedAt === undefined ? resolution !== undefined : isBefore(resolvedAt);
    if (!payment || !isBefore(payment.paidAt) || isBefore(creditedAt)) return [];
    if (creditedAt === undefined && isResolved) return [];
    const { paidAt: since, amountKobo, currency } = payment;
    return [{ since, credits, amountKobo, currency }];
  });
}

function refundItems({ month, refunds }: WalletMonth): Item[] {
  const isBefore = beforeEnd(month);
  return refunds
    .filter(({ requestedAt, doneAt }) => isBefore(requestedAt) && !isBefore(doneAt))
    .map(({ requestedAt, credits, totalKobo }) => ({ since: requestedAt, credits, amountKobo: totalKobo }));
}

function beforeEnd(month: string): (time: string | undefined) => boolean {
  return (time) => time !== undefined && Date.parse(time) < monthEndMs(month);
}
