import * as v from 'valibot';
import { lagosDay } from '../../core/accounting-month.ts';
import { canonicalSha256 } from '../../core/canonical-json.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { amountsIn } from '../naira.ts';
import { vatRateOn } from '../prices/price.ts';
import type { MoneySettings } from '../settings.ts';

/** `<env>#TOPUP#<reference>` / `ORDER`. Only conditional writes change it. */

/**
 * `PAID`: verified, but not booked yet. `CREDITED`: credit, lot, invoice and receipt are booked. `FAILED`: failed,
 * reversed or without a checkout. `EXPIRED`: not paid in time. A payment after `FAILED` or `EXPIRED` is still credited,
 * unless it is late and the price has risen. `MISMATCH`: a person decides. `REFUNDED`: all credits were taken back, and their money is being returned.
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

/** As Paystack, or the person who read the bank statement, reported it. */
export const payment = v.object({
  amountKobo: v.number(),
  currency: v.string(),
  /** ISO time. */
  paidAt: v.string(),
  /** Such as `card` or `bank_transfer`. */
  channel: v.string(),
  /** The provider's number, or the bank's reference. */
  providerReference: v.string(),
});
export type Payment = v.InferOutput<typeof payment>;

export const REVERSAL_BOOKINGS = ['loss', 'receivable'] as const;
export type ReversalBooking = (typeof REVERSAL_BOOKINGS)[number];

/** The part of a reversed payment that no credit note covers. */
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
  /** Absent if the order is not paid there, or until Paystack has responded. */
  checkoutUrl: v.optional(v.string()),
  /** The browser returns to it. */
  returnUrl: v.optional(v.string()),
  openedAt: v.string(),
  /**
   * `key:` and the label of the API key (earlier versions: the label), the operator, `member:` and a person's ID, or
   * `automatic top-up`.
   */
  openedBy: v.string(),
  /** ISO time; then EXPIRED. */
  expiresAt: v.string(),
  /** ISO time at which the sweep asks Paystack next. */
  dueAt: v.optional(v.string()),
  payment: v.optional(payment),
  /** Set when the order becomes CREDITED. */
  creditedAt: v.optional(v.string()),
  lot: v.optional(v.string()),
  invoice: v.optional(v.string()),
  receipt: v.optional(v.string()),
  /** Removed when the event about it is published. */
  unpublished: v.optional(v.literal(true)),
  /** Why the order is a MISMATCH, or that a credited payment was reversed. */
  problem: v.optional(v.string()),
  resolution: v.optional(v.string()),
  /** Of a `MISMATCH`: ISO time, and the operator. */
  resolvedAt: v.optional(v.string()),
  resolvedBy: v.optional(v.string()),
  /** ISO time at which it became FAILED, or a MISMATCH. */
  failedAt: v.optional(v.string()),
  mismatchedAt: v.optional(v.string()),
  /** ISO time at which the service noticed a reversal after the credit. */
  reversedAt: v.optional(v.string()),
  bookedReversal: v.optional(bookedReversal),
  /** A move applies only to the version that was read. */
  version: v.number(),
});
export type TopUpOrder = v.InferOutput<typeof topUpOrder>;

/** `<env>#TOPUP#<hash of an Idempotency-Key>` / `KEY`. */
export const keyedReference = v.object({
  /** Of the order that a request under the key opened. */
  reference: v.string(),
});

/** What the audit trail states about an order that was opened. Only another quote changes it. */
export function openingFacts(order: TopUpOrder) {
  const { reference, openedAt, openedBy, credits, totalKobo, method, returnUrl } = order;
  // Its query may name a person, so the whole address is only hashed.
  const returnPage = returnUrl?.replace(/[?#].*/s, '') ?? null;
  const returnSha256 = canonicalSha256({ reference, returnUrl });
  return { openedAt, openedBy, credits, totalKobo, method, returnPage, returnSha256 };
}

/** What the audit trail states about a payment that a person must decide on: nothing else has a copy of it. */
export function mismatchFacts({ credits, method, payment, mismatchedAt }: TopUpOrder) {
  return { credits, method, payment, mismatchedAt };
}

/** The same if a move makes it one. Undefined if it does not. */
export function problemFacts(before: TopUpOrder, after: TopUpOrder) {
  const { reversedAt, problem } = after;
  if (before.state !== 'MISMATCH' && after.state === 'MISMATCH') return { ...mismatchFacts(after), problem };
  return before.reversedAt === reversedAt ? undefined : { reversedAt, problem };
}

export function bookingFacts({ as, totalKobo, month, at, by }: NonNullable<TopUpOrder['bookedReversal']>) {
  return { bookedAs: as, totalKobo, month, bookedAt: at, bookedBy: by };
}

export function creditReferenceOf({ method, reference }: Pick<TopUpOrder, 'method' | 'reference'>): string {
  return method === 'PAYSTACK' ? `paystack:${reference}` : reference;
}

/**
 * The order as its invoice would state it if it were paid at this time. VAT is that of the payment's day: if the rate
 * changed after the order was opened, the tax is taken out of its total, and the credits stay (contract P4).
 */
export function withVatAt(order: TopUpOrder, atMs: number, { vat }: Pick<MoneySettings, 'vat'>): TopUpOrder {
  const vatBasisPoints = vatRateOn(vat, lagosDay(atMs));
  if (vatBasisPoints === order.vatBasisPoints) return order;
  const amounts = amountsIn(order.totalKobo, vatBasisPoints);
  // Rounded, because the net need not be a multiple of the credits.
  const koboPerCredit = Math.round(amounts.netKobo / order.credits);
  return { ...order, ...amounts, vatBasisPoints, koboPerCredit };
}

/** For the customer and the operator: what a payment now would state. */
export function orderNow(order: TopUpOrder, nowMs: number, settings: Pick<MoneySettings, 'vat'>): TopUpOrder {
  const isUnpaid = order.state === 'OPENED' || order.state === 'EXPIRED' || order.state === 'FAILED';
  return isUnpaid ? withVatAt(order, nowMs, settings) : order;
}
