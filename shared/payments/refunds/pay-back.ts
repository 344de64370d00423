import type { Clock } from '../../core/clock.ts';
import { notPossible } from '../../core/not-possible.ts';
import { isPaidByBank, type Refund } from './refund.ts';
import type { RefundTable } from './refund-table.ts';

/**
 * A person has paid the refund by bank transfer. Repeating it with the same bank reference changes nothing. Error
 * messages are for the operator.
 */
export async function payBack(
  before: Refund,
  bankReference: string,
  { refunds, clock }: { readonly refunds: Pick<RefundTable, 'moveRefund'>; readonly clock: Clock },
): Promise<Refund> {
  if (before.state === 'DONE' && before.paidBackBy === bankReference) return before;
  if (!isPaidByBank(before)) throw notPaidByBank(before);
  const { problem: _, dueAt: __, ...rest } = before;
  const doneAt = new Date(clock.nowMs()).toISOString();
  const after: Refund = { ...rest, state: 'DONE', paidBackBy: bankReference, doneAt };
  if (await refunds.moveRefund(before, after)) return { ...after, version: before.version + 1 };
  throw notPossible(
    `Another process changed the refund of the credit note ${before.creditNote} at the same time. Run the same command again.`,
  );
}

function notPaidByBank({ creditNote, state, paidBackBy, doneAt }: Refund): Error {
  if (state !== 'DONE')
    return notPossible(
      `Paystack returns the money for the credit note ${creditNote}. Do not return it by bank transfer. Nothing was changed.`,
    );
  const at = doneAt ? ` at ${doneAt}` : '';
  const reference = paidBackBy ? `, with the reference ${paidBackBy}` : '';
  return notPossible(
    `The money for the credit note ${creditNote} had already been returned to the customer${at}${reference}. Nothing was changed.`,
  );
}
