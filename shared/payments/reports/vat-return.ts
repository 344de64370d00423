import type { FinancialDocument } from '../documents/financial-document.ts';
import { type Columns, type Report, report, sum, WHOSE } from './report.ts';
import { type WalletMonth, whose } from './wallet-month.ts';

/** By invoice and credit note. */

const VAT_RETURN = {
  ...WHOSE,
  month: 'text',
  issued_at: 'text',
  kind: 'text',
  number: 'text',
  invoice: 'text',
  buyer: 'text',
  buyer_tax_number: 'text',
  vat_percent: 'text',
  net_kobo: 'kobo',
  vat_kobo: 'kobo',
  total_kobo: 'kobo',
} as const satisfies Columns;

/**
 * One row for each rate of VAT on each document of the month, closed or not. Credit notes are negative, so the sum of
 * `vat_kobo` is the output VAT.
 */
export function vatReturnReport(months: readonly WalletMonth[]): Report {
  const rows = months.flatMap((one) =>
    one.documents.flatMap((document) => {
      if (document.kind !== 'INVOICE' && document.kind !== 'CREDIT_NOTE') return [];
      return ratesOf(document).map((amounts) => ({
        ...whose(one),
        month: document.month,
        issued_at: document.issuedAt,
        kind: document.kind,
        number: document.number,
        invoice: document.invoice ?? '',
        buyer: document.buyer.name,
        buyer_tax_number: document.buyer.taxNumber,
        ...amounts,
      }));
    }),
  );
  return report('vat-return', VAT_RETURN, rows);
}

function ratesOf({ kind, lines }: FinancialDocument) {
  const sign = kind === 'CREDIT_NOTE' ? -1 : 1;
  return [...Map.groupBy(lines, ({ vatBasisPoints }) => vatBasisPoints)].map(([basisPoints, ofRate]) => ({
    vat_percent: String(basisPoints / 100),
    net_kobo: sign * Math.abs(sum(ofRate, ({ netKobo }) => netKobo)),
    vat_kobo: sign * Math.abs(sum(ofRate, ({ vatKobo }) => vatKobo)),
    total_kobo: sign * Math.abs(sum(ofRate, ({ totalKobo }) => totalKobo)),
  }));
}
