import { lagosDay } from '../../../shared/core/accounting-month.ts';
import type { CreditNote } from '../../../shared/operators/operations/credit-notes.ts';
import { isPaidByBank, type Refund, type RefundState } from '../../../shared/payments/refunds/refund.ts';
import type { RefundedCredits } from '../../../shared/payments/refunds/refund-credits.ts';
import { naira } from '../money-arguments.ts';
import { counted, paragraph, table, time } from '../output.ts';
import { type People, peopleText } from './credit-text.ts';
import { totalText } from './order-text.ts';

/** Formats credit notes and their refunds. */

export function creditNoteView({ refund, existed }: RefundedCredits) {
  return { ...refundView(refund), existed };
}

export function refundView({ organisationId, version: _, sends: __, ...refund }: Refund) {
  return { organisation: organisationId, ...refund };
}

export function creditNoteText({ refund, existed }: RefundedCredits, people?: People): string {
  if (existed)
    return paragraph(
      `Nothing was changed: the credit note ${refund.creditNote} had already been written at ${time(refund.requestedAt)}.`,
    );
  const by = people ? `, ${peopleText(people)}` : '';
  const written = `The credit note ${refund.creditNote} takes ${counted(refund.credits, 'credit')} back from the invoice ${refund.invoice}: ${totalText(refund)}${by}.`;
  return paragraph(`${written} ${moneyText(refund)}`);
}

/** Says how the money is returned. */
export function moneyText(refund: Refund): string {
  if (refund.state === 'DONE') return 'The customer has received the money.';
  if (isPaidByBank(refund))
    return `Pay ${naira(refund.totalKobo)} back by bank transfer, then run \`credit-note paid-back\`.`;
  return 'Paystack returns the money within a few days.';
}

const REFUND_TEXTS: Readonly<Record<RefundState, string>> = {
  REQUESTED: 'not sent to Paystack yet',
  SENT: 'sent to Paystack',
  DONE: 'paid back',
  FAILED: 'to be paid by bank transfer',
};

function stateText(refund: Refund): string {
  if (isPaidByBank(refund)) return 'to be paid by bank transfer';
  return REFUND_TEXTS[refund.state];
}

export function creditNotesText(notes: readonly CreditNote[]): string {
  const lines = notes.map(({ document, refund }) => [
    lagosDay(Date.parse(document.issuedAt)),
    document.number,
    document.invoice ?? '',
    refund?.credits ?? '',
    naira(document.totalKobo),
    refund ? stateText(refund) : '',
    refund?.problem ?? document.reason ?? '',
  ]);
  return table(['ISSUED', 'CREDIT NOTE', 'INVOICE', 'CREDITS', 'TOTAL', 'REFUND', 'REASON'], lines);
}
