import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/clock.ts';
import { nairaText } from '../naira.ts';
import type { VerifiedPayment } from '../paystack/payment-provider.ts';
import type { MoneySettings } from '../settings.ts';
import { type Payment, type TopUpOrder, withVatAt } from './order.ts';
import { isReversed } from './reversal.ts';

type MadePayment = Exclude<VerifiedPayment, { readonly status: 'missing' }>;

/** Paystack repeats a webhook for this long. */
export const ASK_FOR_MS = 72 * HOUR_MS;

/** The customer may have been on Paystack's page when the order expired. */
const KEEPS_PRICE_MS = DAY_MS;

/**
 * First after a minute, then each time the order's age has doubled, at least hourly. An unpaid order has no such time
 * after 72 hours, unless `isAnswered` is false: only a response shows that it has not been paid.
 */
export function nextAskAt(
  { openedAt, state }: Pick<TopUpOrder, 'openedAt' | 'state'>,
  nowMs: number,
  isAnswered = true,
): Pick<TopUpOrder, 'dueAt'> {
  const openedAtMs = Date.parse(openedAt);
  const nextMs = nowMs + Math.min(Math.max(nowMs - openedAtMs, MINUTE_MS), HOUR_MS);
  // A paid order stays due until its credit is booked.
  if (state === 'PAID' || !isAnswered) return { dueAt: iso(nextMs) };
  const endMs = openedAtMs + ASK_FOR_MS;
  return nowMs < endMs ? { dueAt: iso(Math.min(nextMs, endMs)) } : {};
}

/** ISO time at which an order was paid, if that was too long after it expired for the order to keep a lower price. */
export function paidLateAt(
  { state, expiresAt }: Pick<TopUpOrder, 'state' | 'expiresAt'>,
  payment: VerifiedPayment,
  nowMs: number,
): string | undefined {
  if (payment.status !== 'success' || state === 'PAID' || state === 'CREDITED') return undefined;
  const paidAtMs = payment.paidAt === undefined ? nowMs : Date.parse(payment.paidAt);
  return paidAtMs < Date.parse(expiresAt) + KEEPS_PRICE_MS ? undefined : iso(paidAtMs);
}

/**
 * Returns the same object if nothing changes. Only a payment that matches in reference, currency and amount makes the
 * order PAID. `latePrice`: kobo for one credit at `paidLateAt`.
 */
export function judgePayment(
  order: TopUpOrder,
  payment: VerifiedPayment,
  nowMs: number,
  settings: Pick<MoneySettings, 'vat'>,
  latePrice?: number,
): TopUpOrder {
  if (order.state === 'CREDITED') return judgeCredited(order, payment, nowMs);
  if (order.state === 'PAID') return judgePaid(order, payment, nowMs);
  if (payment.status === 'success') return judgeSuccess(order, payment, nowMs, settings, latePrice);
  const hasFailed = payment.status === 'failed' || payment.status === 'reversed';
  if (order.state === 'OPENED' && hasFailed) return { ...order, state: 'FAILED', failedAt: iso(nowMs) };
  if (order.state === 'OPENED' && nowMs >= Date.parse(order.expiresAt)) return { ...order, state: 'EXPIRED' };
  return order;
}

function judgeSuccess(
  order: TopUpOrder,
  made: MadePayment,
  nowMs: number,
  settings: Pick<MoneySettings, 'vat'>,
  latePrice: number | undefined,
): TopUpOrder {
  const { dueAt: _, ...rest } = order;
  const payment = factsOf(made, nowMs);
  const problem = mismatchOf(order, made) ?? outdatedPrice(order, latePrice);
  if (problem !== undefined)
    return { ...rest, state: 'MISMATCH', payment, problem, mismatchedAt: iso(nowMs) };
  const paid = { ...rest, state: 'PAID', payment, ...nextAskAt({ ...order, state: 'PAID' }, nowMs) } as const;
  return withVatAt(paid, Date.parse(payment.paidAt), settings);
}

/** The row alone does not prove the payment: a person who can edit the table could have made it. */
function judgePaid(order: TopUpOrder, payment: VerifiedPayment, nowMs: number): TopUpOrder {
  const isMade = payment.status === 'success' || payment.status === 'reversed';
  const isSame = isMade && payment.providerReference === order.payment?.providerReference;
  if (isSame && mismatchOf(order, payment) === undefined) return order;
  const problem = 'Paystack does not confirm the payment that the order states.';
  const { dueAt: _, ...rest } = order;
  return { ...rest, state: 'MISMATCH', problem, mismatchedAt: iso(nowMs) };
}

/** A credited order stays credited. A person takes credits back, or books what is lost. */
function judgeCredited(order: TopUpOrder, { status }: VerifiedPayment, nowMs: number): TopUpOrder {
  if (status !== 'reversed' || isReversed(order)) return order;
  const problem = 'The payment was reversed after its credits were added.';
  return { ...order, problem, reversedAt: iso(nowMs) };
}

/** Undefined if the payment matches. */
function mismatchOf(order: TopUpOrder, made: MadePayment): string | undefined {
  if (made.reference !== order.reference) return 'The payment has the reference of another order.';
  if (made.currency !== order.currency)
    return `The payment is in ${made.currency.slice(0, 3)}, but the order is in ${order.currency}.`;
  if (made.amountKobo !== order.totalKobo)
    return `The payment is ${nairaText(made.amountKobo)} naira, but the order is ${nairaText(order.totalKobo)} naira.`;
  return undefined;
}

function outdatedPrice({ koboPerCredit, expiresAt }: TopUpOrder, latePrice = 0): string | undefined {
  if (latePrice <= koboPerCredit) return undefined;
  return `The order expired at ${expiresAt}, and was paid more than a day later. A credit then cost ${nairaText(latePrice)} naira, but the order has ${nairaText(koboPerCredit)} naira.`;
}

function factsOf(made: MadePayment, nowMs: number): Payment {
  const { amountKobo, currency, paidAt = iso(nowMs), channel, providerReference } = made;
  return { amountKobo, currency, paidAt, channel, providerReference };
}

const iso = (ms: number) => new Date(ms).toISOString();
