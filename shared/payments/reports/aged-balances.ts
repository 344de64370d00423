import { monthEndMs } from '../../core/accounting-month.ts';
import { DAY_MS } from '../../core/clock.ts';
import { isPriced } from '../lots/consume-lots.ts';
import { valueInMonth } from '../lots/lot-value.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { type Columns, type Report, report, WHOSE } from './report.ts';
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

/** Or their credits are not booked yet. */
const UNPAID: readonly TopUpOrder['state'][] = ['OPENED', 'PAID', 'MISMATCH'];

/** One item of a balance. */
interface Item {
  readonly since: string;
  readonly credits: number;
  readonly amountKobo: number;
}

/**
 * `DEFERRED`: what is left of paid lots at the end of a closed month, without VAT, from the purchase on.
 * `UNPAID_ORDER`: orders opened by then and now OPENED, PAID or an unresolved MISMATCH, with VAT.
 */
export function agedBalancesReport(months: readonly WalletMonth[]): Report {
  const rows = months.flatMap((one) => [
    ...agesOf(one, 'DEFERRED', deferredItems(one)),
    ...agesOf(one, 'UNPAID_ORDER', unpaidItems(one)),
  ]);
  return report('aged-balances', AGED_BALANCES, rows);
}

function agesOf(one: WalletMonth, balance: string, items: readonly Item[]) {
  const endMs = monthEndMs(one.month);
  const byAge = Map.groupBy(items, ({ since }) => ageOf((endMs - Date.parse(since)) / DAY_MS));
  return AGES.flatMap(([, age]) => {
    const ofAge = byAge.get(age) ?? [];
    if (ofAge.length === 0) return [];
    const credits = ofAge.reduce((sum, item) => sum + item.credits, 0);
    const amount = ofAge.reduce((sum, item) => sum + item.amountKobo, 0);
    const totals = { items: ofAge.length, credits, amount_kobo: amount };
    return [{ ...whose(one), month: one.month, balance, age_days: age, ...totals }];
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
  return orders
    .filter(({ state, resolution }) => UNPAID.includes(state) && resolution === undefined)
    .filter(({ openedAt }) => Date.parse(openedAt) < monthEndMs(month))
    .map(({ openedAt, credits, totalKobo }) => ({ since: openedAt, credits, amountKobo: totalKobo }));
}
