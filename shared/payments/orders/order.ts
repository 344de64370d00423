import * as v from 'valibot';
import { ENVIRONMENTS } from '../../core/environment.ts';

/** An order for credits: `<env>#TOPUP#<reference>` / `ORDER`. Only conditional writes change it. */

/**
 * `OPENED`: the order is waiting for payment. `PAID`: the payment is verified, but the credit is not booked yet.
 * `CREDITED`: credit, lot, invoice and receipt are booked. `FAILED`: Paystack says that the payment failed or was
 * reversed, or opened no checkout. `EXPIRED`: the order was not paid in time. A payment that arrives after `FAILED` or
 * `EXPIRED` is still credited. `MISMATCH`: the payment or the credit does not match the order, and a person decides.
 * `REFUNDED`: all the credits were taken back, and their money was returned or is being returned.
 */
export const ORDER_STATES = [
  'OPENED',
  'PAID',
  'CREDITED',
  'FAILED',
  'EXPIRED',
  'MISMATCH',
  'REFUNDED',
] as const;

/** What Paystack, or the person who read the bank statement, reported about the payment. */
export const payment = v.object({
  amountKobo: v.number(),
  currency: v.string(),
  /** ISO time. */
  paidAt: v.string(),
  /** Such as `card` or `bank_transfer`. */
  channel: v.string(),
  /** The provider's own number for the transaction, or the bank's reference. */
  providerReference: v.string(),
});
export type Payment = v.InferOutput<typeof payment>;

export const REVERSAL_BOOKINGS = ['loss', 'receivable'] as const;
export type ReversalBooking = (typeof REVERSAL_BOOKINGS)[number];

/** How the part of a reversed payment that no credit note covers was booked. */
const bookedReversal = v.object({
  as: v.picklist(REVERSAL_BOOKINGS),
  netKobo: v.number(),
  vatKobo: v.number(),
  totalKobo: v.number(),
  /** ISO time, and its accounting month. */
  at: v.string(),
  month: v.string(),
  /** The operator. */
  by: v.string(),
});

export const topUpOrder = v.object({
  /** Generated, or an operator's reference for a bank transfer (order-reference.ts). */
  reference: v.string(),
  env: v.picklist(ENVIRONMENTS),
  organisationId: v.string(),
  method: v.picklist(['PAYSTACK', 'TRANSFER']),
  state: v.picklist(ORDER_STATES),
  credits: v.number(),
  koboPerCredit: v.number(),
  netKobo: v.number(),
  vatBasisPoints: v.number(),
  vatKobo: v.number(),
  totalKobo: v.number(),
  currency: v.literal('NGN'),
  /** Paystack's hosted checkout. Absent if the order is not paid there, or until Paystack has responded. */
  checkoutUrl: v.optional(v.string()),
  /** The customer's page, to which the browser returns. */
  returnUrl: v.optional(v.string()),
  openedAt: v.string(),
  /** The label of the API key, the operator, or `member:` and the ID of a person who ordered in the console. */
  openedBy: v.string(),
  /** ISO time after which an unpaid order becomes EXPIRED. */
  expiresAt: v.string(),
  /** ISO time at which the sweep asks Paystack next. Absent if it need not ask again. */
  dueAt: v.optional(v.string()),
  payment: v.optional(payment),
  /** Set when the order becomes CREDITED. */
  creditedAt: v.optional(v.string()),
  lot: v.optional(v.string()),
  invoice: v.optional(v.string()),
  receipt: v.optional(v.string()),
  /** Set when the order becomes CREDITED. Removed when the event about it is published. */
  unpublished: v.optional(v.literal(true)),
  /** What a person must review: why the order is a MISMATCH, or that a credited payment was reversed. */
  problem: v.optional(v.string()),
  /** How a person resolved the problem with the order. */
  resolution: v.optional(v.string()),
  /** ISO time at which the service found that the payment was reversed after its credits were added. */
  reversedAt: v.optional(v.string()),
  /** Set when a person resolves the problem of a reversed payment. */
  bookedReversal: v.optional(bookedReversal),
  /** Incremented by every move. A move applies only to the version that was read. */
  version: v.number(),
});
export type TopUpOrder = v.InferOutput<typeof topUpOrder>;

/** Returns the reference of the credit row that an order books (decision 14). */
export function creditReferenceOf({ method, reference }: Pick<TopUpOrder, 'method' | 'reference'>): string {
  return method === 'PAYSTACK' ? `paystack:${reference}` : reference;
}
