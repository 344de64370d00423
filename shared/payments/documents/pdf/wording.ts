import { lagosDay } from '../../../core/accounting-month.ts';
import { HOUR_MS } from '../../../core/clock.ts';
import type { DocumentKind, FinancialDocument } from '../financial-document.ts';

/** The texts of financial documents. */

export const TITLES: Readonly<Record<DocumentKind, string>> = {
  INVOICE: 'Tax invoice',
  RECEIPT: 'Receipt',
  CREDIT_NOTE: 'Credit note',
  STATEMENT: 'Monthly statement',
};

export const TEST_NOTICE = 'TEST: not a tax document';

export const NOTES: Readonly<Record<DocumentKind, string>> = {
  INVOICE: 'Paid in full. Each verification or slip that returns data uses one or more whole credits.',
  RECEIPT: 'Received with thanks.',
  CREDIT_NOTE:
    'This credit note reduces the tax invoice named above. The credits were taken back from your account.',
  STATEMENT: 'This statement is not a tax invoice. Months are calendar months in Africa/Lagos.',
};

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** In Lagos, such as `20 November 2026`. */
export function dayText(iso: string): string {
  const [year = '', month = '', day = ''] = lagosDay(Date.parse(iso)).split('-');
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** Such as `November 2026`. */
export function monthText(month: string): string {
  const [year = '', number = ''] = month.split('-');
  return `${MONTHS[Number(number) - 1]} ${year}`;
}

/** In Lagos, an hour ahead of UTC all year. */
export function timeText(iso: string): string {
  const lagos = new Date(Date.parse(iso) + HOUR_MS).toISOString();
  return `${dayText(iso)}, ${lagos.slice(11, 16)} (Lagos)`;
}

export function rateText(basisPoints: number): string {
  return `${basisPoints / 100}%`;
}

const WHOLE = new Intl.NumberFormat('en-NG');

export function creditsText(credits: number): string {
  return WHOLE.format(credits);
}

/** Such as `Paystack (bank transfer)`. */
export function methodText({ method, payment }: FinancialDocument): string {
  if (method !== 'PAYSTACK') return 'Bank transfer';
  const channel = payment?.channel.replaceAll('_', ' ') ?? '';
  return channel === '' ? 'Paystack' : `Paystack (${channel})`;
}
