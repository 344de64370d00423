import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';

/** `<env>#TOPUP#<order>` / `REFUND#<credit note>`. It is written in the transaction of its credit note. */

/**
 * `REQUESTED`: to be returned through Paystack, or by a person for a bank transfer. `SENT`: Paystack accepted it.
 * `FAILED`: a person pays it by bank transfer.
 */
const REFUND_STATES = ['REQUESTED', 'SENT', 'DONE', 'FAILED'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

export const refund = v.object({
  /** The number of its credit note. */
  creditNote: v.string(),
  env: v.picklist(ENVIRONMENTS),
  organisationId: v.string(),
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
  /** The provider's number, or the bank's reference. */
  payment: v.string(),
  /** The customer had the money before. */
  isPaidBack: v.optional(v.literal(true)),
  /** The provider's number for the refund, or the reference of a bank transfer. */
  paidBackBy: v.optional(v.string()),
  /** As the provider reported it. Absent if a person paid it. */
  paidBackKobo: v.optional(v.number()),
  /** ISO time at which it became DONE. */
  doneAt: v.optional(v.string()),
  /** Includes attempts that ended before it was sent. */
  sends: v.number(),
  /** ISO time at which a function processes it next. */
  dueAt: v.optional(v.string()),
  /** What a person must review. */
  problem: v.optional(v.string()),
  /** A move applies only to the version that was read. */
  version: v.number(),
});
export type Refund = v.InferOutput<typeof refund>;

/** In the audit trail. */
export const refundTarget = (creditNote: string) => `refund of the credit note ${creditNote}`;

/** By a person in finance. */
export function isPaidByBank({ method, state }: Pick<Refund, 'method' | 'state'>): boolean {
  return state === 'FAILED' || (method === 'TRANSFER' && state === 'REQUESTED');
}
