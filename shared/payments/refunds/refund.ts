import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';

/**
 * A refund of money for credits that were taken back from a lot: `<env>#TOPUP#<order>` / `REFUND#<credit note>`. It is
 * written in the transaction of its credit note. Only conditional moves change it.
 */

/**
 * `REQUESTED`: the money must still be returned, through Paystack, or by a person if the order was paid by bank
 * transfer. `SENT`: Paystack has accepted the refund. `DONE`: the money was returned. `FAILED`: Paystack did not return
 * it, and a person pays it by bank transfer.
 */
const REFUND_STATES = ['REQUESTED', 'SENT', 'DONE', 'FAILED'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

export const refund = v.object({
  /** The number of its credit note. */
  creditNote: v.string(),
  env: v.picklist(ENVIRONMENTS),
  organisationId: v.string(),
  /** The reference of the order, the number of its invoice, and the lot that the credits came from. */
  order: v.string(),
  invoice: v.string(),
  lot: v.string(),
  /** The reference of the negative credit row. */
  reference: v.string(),
  method: v.picklist(['PAYSTACK', 'TRANSFER']),
  state: v.picklist(REFUND_STATES),
  /** Whole credits that were taken back. */
  credits: v.number(),
  netKobo: v.number(),
  vatKobo: v.number(),
  totalKobo: v.number(),
  reason: v.string(),
  requestedAt: v.string(),
  requestedBy: v.string(),
  /** The provider's number for the payment, or the bank's reference. */
  payment: v.string(),
  /** The provider's number for the refund, or the reference of the bank transfer that returned the money. */
  paidBackBy: v.optional(v.string()),
  /** ISO time at which it became DONE. */
  doneAt: v.optional(v.string()),
  /** The number of attempts to send the refund to Paystack, including those that ended before it was sent. */
  sends: v.number(),
  /** ISO time at which a scheduled function processes it next. Absent if none needs to. */
  dueAt: v.optional(v.string()),
  /** What a person must review. */
  problem: v.optional(v.string()),
  /** Incremented by every move. A move applies only to the version that was read. */
  version: v.number(),
});
export type Refund = v.InferOutput<typeof refund>;

/** Whether a person in finance must return the money by bank transfer. */
export function isPaidByBank({ method, state }: Pick<Refund, 'method' | 'state'>): boolean {
  return state === 'FAILED' || (method === 'TRANSFER' && state === 'REQUESTED');
}
