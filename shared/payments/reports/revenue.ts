import type { MonthFigures, MonthValue } from '../months/closing.ts';
import { type Columns, type Report, report, WHOSE } from './report.ts';
import { figuresOf, type WalletMonth, whose } from './wallet-month.ts';

/** Amounts are without VAT. */

const CUSTOMERS = {
  ...WHOSE,
  month: 'text',
  state: 'text',
  statement: 'text',
  opening_credits: 'count',
  topped_up_credits: 'count',
  corrected_credits: 'count',
  charged_credits: 'count',
  closing_credits: 'count',
  paid_kobo: 'kobo',
  earned_kobo: 'kobo',
  refunded_kobo: 'kobo',
  expired_kobo: 'kobo',
  deferred_kobo: 'kobo',
} as const satisfies Columns;

/** One row for each wallet. Without figures if the month is not closed. */
export function customersReport(months: readonly WalletMonth[]): Report {
  const rows = months.map((one) => {
    const figures = figuresOf(one);
    return {
      ...whose(one),
      month: one.month,
      state: one.closing?.state ?? 'OPEN',
      statement: (figures && one.closing?.statement) ?? '',
      ...(figures ? figureCells(figures) : NO_FIGURES),
    };
  });
  return report('customers', CUSTOMERS, rows);
}

function figureCells({ credits, value }: MonthFigures) {
  return {
    opening_credits: credits.opening,
    topped_up_credits: credits.toppedUp,
    corrected_credits: credits.corrected,
    charged_credits: credits.charged,
    closing_credits: credits.closing,
    paid_kobo: value.paidKobo,
    earned_kobo: value.earnedKobo,
    refunded_kobo: value.refundedKobo,
    expired_kobo: value.expiredKobo,
    deferred_kobo: value.deferredKobo,
  };
}

const NO_FIGURES: Readonly<Record<keyof ReturnType<typeof figureCells>, ''>> = {
  opening_credits: '',
  topped_up_credits: '',
  corrected_credits: '',
  charged_credits: '',
  closing_credits: '',
  paid_kobo: '',
  earned_kobo: '',
  refunded_kobo: '',
  expired_kobo: '',
  deferred_kobo: '',
};

const REVENUE = {
  ...WHOSE,
  month: 'text',
  opening_deferred_kobo: 'kobo',
  paid_kobo: 'kobo',
  earned_kobo: 'kobo',
  refunded_kobo: 'kobo',
  expired_kobo: 'kobo',
  closing_deferred_kobo: 'kobo',
} as const satisfies Columns;

/** Closed months: opening deferred + paid - earned - refunded - expired = closing deferred. */
export function revenueReport(months: readonly WalletMonth[]): Report {
  const rows = months.flatMap((one) => {
    const value = figuresOf(one)?.value;
    if (!value) return [];
    return [
      {
        ...whose(one),
        month: one.month,
        opening_deferred_kobo: openingDeferredKobo(value),
        paid_kobo: value.paidKobo,
        earned_kobo: value.earnedKobo,
        refunded_kobo: value.refundedKobo,
        expired_kobo: value.expiredKobo,
        closing_deferred_kobo: value.deferredKobo,
      },
    ];
  });
  return report('revenue', REVENUE, rows);
}

function openingDeferredKobo(value: MonthValue): number {
  return value.deferredKobo + value.earnedKobo + value.refundedKobo + value.expiredKobo - value.paidKobo;
}
