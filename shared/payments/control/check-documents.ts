import { sum } from '../../core/sum.ts';
import { contentSha256Of } from '../documents/compose-documents.ts';
import { numberIn } from '../documents/document-series.ts';
import type { FinancialDocument } from '../documents/financial-document.ts';
import { amountInWords } from '../documents/spell-amount.ts';
import type { TopUpOrder } from '../orders/order.ts';
import { type Findings, type MoneyRows, monthOf } from './money-rows.ts';

/** A document is as it was issued, and its order, refund or closing names it. */
export function checkDocuments(rows: MoneyRows, findings: Findings): void {
  const orders = new Map(rows.orders.map((order) => [order.reference, order]));
  for (const document of rows.documents) {
    checkContent(document, rows, findings);
    checkOrigin(document, orders.get(document.order ?? ''), rows, findings);
  }
}

const nameOf = ({ issuedAt, number }: FinancialDocument) => ({ at: issuedAt, reference: number });

function checkContent(document: FinancialDocument, { wallet }: MoneyRows, findings: Findings): void {
  const { env, organisationId, lines, issuedAt } = document;
  const total = (of: (line: (typeof lines)[number]) => number) => sum(lines.map(of));
  findings.compare(
    'document',
    nameOf(document),
    {
      contentSha256: contentSha256Of(document),
      env: wallet.env,
      organisation: wallet.organisationId,
      month: monthOf(issuedAt),
      netKobo: total(({ netKobo }) => netKobo),
      vatKobo: total(({ vatKobo }) => vatKobo),
      totalKobo: total(({ netKobo, vatKobo }) => netKobo + vatKobo),
      ofLines: total(({ totalKobo }) => totalKobo),
      totalInWords: amountInWords(document.totalKobo),
      lines: document.statement ? lines.length : 1,
      isInSeries: String(numberIn(document) !== undefined),
    },
    {
      contentSha256: document.contentSha256,
      env,
      organisation: organisationId,
      month: document.month,
      netKobo: document.netKobo,
      vatKobo: document.vatKobo,
      totalKobo: document.totalKobo,
      ofLines: document.totalKobo,
      totalInWords: document.totalInWords,
      lines: lines.length,
      isInSeries: 'true',
    },
  );
}

function checkOrigin(
  document: FinancialDocument,
  order: TopUpOrder | undefined,
  rows: MoneyRows,
  findings: Findings,
): void {
  const { kind, number, statement } = document;
  const add = (expected: string) => findings.add('document', nameOf(document), expected, 'none');
  if (kind === 'INVOICE' && order?.invoice !== number) add('an order that names the invoice');
  if (kind === 'RECEIPT' && order?.receipt !== number) add('an order that names the receipt');
  if (kind === 'CREDIT_NOTE') {
    const refunds = rows.refunds.get(document.order ?? '') ?? [];
    if (!refunds.some(({ creditNote }) => creditNote === number)) add('a refund that names the credit note');
  }
  if (kind === 'STATEMENT' && !rows.closings.some(({ month }) => month === statement?.month))
    add(`a closing of ${statement?.month ?? 'a month'}`);
}
