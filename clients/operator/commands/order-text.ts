import { lagosDay } from '../../../shared/core/accounting-month.ts';
import type { Credit } from '../../../shared/ledger/rows/credit.ts';
import type { BookedCredit } from '../../../shared/operators/make-change.ts';
import { type Amounts, nairaText } from '../../../shared/payments/naira.ts';
import type { TopUpOrder } from '../../../shared/payments/orders/order.ts';
import type { PaymentToReview } from '../../../shared/payments/orders/review-payments.ts';
import { naira } from '../money-arguments.ts';
import { counted, fields, paragraph, table, time } from '../output.ts';
import { creditText, creditView, type People } from './credit-text.ts';

/** Formats orders for credits. */

/** An order whose bank transfer was credited, now or earlier (`existed`). */
interface PaidTopUp {
  readonly order: TopUpOrder;
  readonly row: Credit;
  readonly existed: boolean;
}

/** Whether a credit was paid for by bank transfer. */
export function isPaid(result: BookedCredit): result is BookedCredit & PaidTopUp {
  return result.order !== undefined;
}

export function paidView({ order, ...result }: PaidTopUp) {
  const { organisationId, env, lot, invoice, receipt } = order;
  const { netKobo, vatKobo, totalKobo } = order;
  const money = { netKobo, vatKobo, totalKobo, invoice, receipt, lot };
  return { ...creditView(organisationId, env, result), ...money };
}

export function paidText({ order, ...result }: PaidTopUp, people?: People): string {
  const text = creditText(order.organisationId, order.env, result, people);
  return paragraph(`${text} Invoice ${order.invoice}, receipt ${order.receipt}, ${totalText(order)}.`);
}

/** Formats a total with its parts: `₦161,250.00 (₦150,000.00 and ₦11,250.00 VAT)`. */
export function totalText({ netKobo, vatKobo, totalKobo }: Amounts): string {
  return `${naira(totalKobo)} (${naira(netKobo)} and ${naira(vatKobo)} VAT)`;
}

const METHODS = { PAYSTACK: 'Paystack', TRANSFER: 'bank transfer' } as const;

/** `open`: the open part of a reversed payment, if there is one. */
export function orderText(order: TopUpOrder, name: string, open?: Amounts): string {
  const { payment, bookedReversal: booked } = order;
  return fields({
    reference: order.reference,
    customer: `${name} (${order.organisationId})`,
    environment: order.env,
    state: order.state,
    ...(order.problem !== undefined && { problem: order.problem }),
    ...(order.resolution !== undefined && { resolution: order.resolution }),
    ...(open && { 'still open': totalText(open) }),
    ...(booked && { booked: `${booked.as} of ${totalText(booked)}, ${time(booked.at)} by ${booked.by}` }),
    credits: order.credits,
    price: `${naira(order.koboPerCredit)} without VAT`,
    total: totalText(order),
    method: METHODS[order.method],
    ...(order.checkoutUrl !== undefined && { checkout: order.checkoutUrl }),
    opened: `${time(order.openedAt)} by ${order.openedBy}`,
    expires: time(order.expiresAt),
    ...(payment && {
      payment: `${payment.currency} ${nairaText(payment.amountKobo)}, ${time(payment.paidAt)}, ${payment.channel}`,
      'payment number': payment.providerReference,
    }),
    ...(order.creditedAt !== undefined && { credited: time(order.creditedAt) }),
    ...(order.invoice !== undefined && { invoice: order.invoice }),
    ...(order.receipt !== undefined && { receipt: order.receipt }),
  });
}

export function ordersText(orders: readonly TopUpOrder[]): string {
  const lines = orders.map(({ openedAt, reference, state, credits, totalKobo, problem }) => [
    lagosDay(Date.parse(openedAt)),
    reference,
    credits,
    naira(totalKobo),
    problem === undefined ? state : `${state}: ${problem}`,
  ]);
  return table(['OPENED', 'REFERENCE', 'CREDITS', 'TOTAL', 'STATE'], lines);
}

export function openedText(order: TopUpOrder, name: string): string {
  const next =
    order.method === 'PAYSTACK'
      ? `Send the customer the address of the checkout: ${order.checkoutUrl}`
      : `Ask the customer to transfer ${naira(order.totalKobo)} with the reference ${order.reference}. When the money has arrived, run \`wallet top-up\` with ${counted(order.credits, 'credit')} and this reference.`;
  return `${orderText(order, name)}\n\n${paragraph(next)}`;
}

export function reviewText(payments: readonly PaymentToReview[]): string {
  const lines = payments.map(({ env, organisationId, order, creditNote = '', ...payment }) => [
    organisationId,
    env,
    order,
    creditNote,
    naira(payment.totalKobo),
    payment.openKobo === undefined ? '' : naira(payment.openKobo),
    payment.problem,
  ]);
  return table(['ORG', 'ENV', 'ORDER', 'CREDIT NOTE', 'TOTAL', 'OPEN', 'PROBLEM'], lines);
}
