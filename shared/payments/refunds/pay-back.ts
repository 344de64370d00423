import type { LedgerTools } from '../../ledger/dependencies.ts';
import { isPaidByBank, type Refund } from './refund.ts';
import type { RefundRef, RefundTable } from './refund-table.ts';

/**
 * Marks a refund as done after a person has paid it by bank transfer, because the order was paid by bank transfer or
 * because Paystack could not return the money. Repeating this with the same bank reference changes nothing. Error
 * messages are for the operator.
 */
export async function payBack(
  ref: RefundRef,
  bankReference: string,
  deps: { readonly refunds: Pick<RefundTable, 'getRefund' | 'moveRefund'>; readonly tools: LedgerTools },
): Promise<Refund> {
  const before = await deps.refunds.getRefund(ref);
  if (!before) throw new Error(`There is no refund for the credit note ${ref.creditNote}.`);
  if (before.state === 'DONE' && before.paidBackBy === bankReference) return before;
  if (!isPaidByBank(before))
    throw new Error(
      before.state === 'DONE'
        ? `The money for the credit note ${ref.creditNote} has already been returned to the customer. Nothing was changed.`
        : `Paystack returns the money for the credit note ${ref.creditNote}. Do not return it by bank transfer. Nothing was changed.`,
    );
  const { problem: _, dueAt: __, ...rest } = before;
  const doneAt = new Date(deps.tools.nowMs()).toISOString();
  const after: Refund = { ...rest, state: 'DONE', paidBackBy: bankReference, doneAt };
  if (!(await deps.refunds.moveRefund(before, after)))
    throw new Error('Another process changed the refund at the same time. Run the same command again.');
  return { ...after, version: before.version + 1 };
}
