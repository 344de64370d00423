import * as v from 'valibot';
import { HOUR_MS } from '../../core/clock.ts';
import { STOP_REASONS, type StopReason } from '../../events/event.ts';
import type { TopUpOrder } from '../orders/order.ts';

/**
 * Automatic top-ups of the live wallet by a saved card. A charge begins when fewer credits than the threshold are left,
 * and must be decided before the next one. It adds at least as many credits as the threshold, so it always ends the
 * crossing that caused it.
 */

/** `AUTOMATIC#<org>` / `AUTOMATIC`. */
export const automaticTopUp = v.object({
  organisationId: v.string(),
  /** `STOPPED`: after a charge that was not paid, until a member saves the settings again. `OFF`: a member has ended it. */
  state: v.picklist(['ON', 'STOPPED', 'OFF']),
  stopReason: v.optional(v.picklist(STOP_REASONS)),
  /** The card is charged when fewer live credits are left, held ones included. */
  thresholdCredits: v.number(),
  /** Of one top-up. At least the threshold. */
  credits: v.number(),
  /** In one month, VAT included. */
  monthlyCapKobo: v.number(),
  /** The paid order whose card was saved. */
  cardOrder: v.optional(v.string()),
  /** Paystack's authorisation code and the email address that it belongs to, encrypted (seal-card.ts). */
  sealedCard: v.optional(v.string()),
  /** The brand, last four digits, expiry and bank of the card, for members. */
  cardDetails: v.optional(
    v.object({ brand: v.string(), lastFour: v.string(), expires: v.string(), bank: v.string() }),
  ),
  /** The accounting month of `monthKobo`: what was charged in it, or is being charged, VAT included. */
  month: v.optional(v.string()),
  monthKobo: v.optional(v.number()),
  /** The order of the charge that is not decided yet. */
  charging: v.optional(v.string()),
  /** The month in which members were told that the limit is reached. */
  limitMonth: v.optional(v.string()),
  /** ISO time at which the latest refund, reversal or dispute of a live purchase was recorded. */
  paidBackAt: v.optional(v.string()),
  /** ISO time at which a member saved the settings. */
  changedAt: v.string(),
  changedBy: v.string(),
  /** A change applies only to the version that was read. */
  version: v.number(),
});
export type AutomaticTopUp = v.InferOutput<typeof automaticTopUp>;

/** The attributes that the reconciliation may read. */
export const WITHOUT_CARD: readonly string[] = [
  ...['pk', 'sk', 'dueKey', 'dueSort'],
  ...Object.keys(automaticTopUp.entries).filter((name) => name !== 'sealedCard' && name !== 'cardDetails'),
];

/** As the audit trail states them. */
export function settingsOf(row: AutomaticTopUp) {
  const { state, stopReason, thresholdCredits, credits, monthlyCapKobo, cardOrder, changedAt } = row;
  return { state, stopReason, thresholdCredits, credits, monthlyCapKobo, cardOrder, changedAt };
}

/** As orders name it. */
export const AUTOMATIC = 'automatic top-up';

const DECIDED_WITHIN_MS = HOUR_MS;

/** In kobo, VAT included, in one accounting month. */
export function chargedIn(row: AutomaticTopUp, month: string): number {
  return row.month === month ? (row.monthKobo ?? 0) : 0;
}

/** Undefined while the charge of the order is not decided. */
export function outcomeOf(order: TopUpOrder, nowMs: number): 'charged' | StopReason | undefined {
  const { state, checkoutUrl, openedAt } = order;
  if (state === 'CREDITED' || state === 'REFUNDED') return 'charged';
  if (state === 'FAILED') return 'declined';
  if (state === 'PAID') return undefined;
  if (state === 'OPENED' && checkoutUrl !== undefined) return 'unconfirmed';
  const isLate = nowMs >= Date.parse(openedAt) + DECIDED_WITHIN_MS;
  return state !== 'OPENED' || isLate ? 'unknown' : undefined;
}

/** After the charge in progress is decided. A declined charge does not count towards the limit. */
export function decided(
  row: AutomaticTopUp,
  outcome: 'charged' | StopReason,
  { totalKobo }: Pick<TopUpOrder, 'totalKobo'>,
): AutomaticTopUp {
  const { charging: _, ...rest } = row;
  if (outcome === 'charged') return rest;
  const monthKobo = Math.max(0, (row.monthKobo ?? 0) - (outcome === 'declined' ? totalKobo : 0));
  return stopped({ ...rest, monthKobo }, outcome);
}

export function stopped(row: AutomaticTopUp, stopReason: StopReason): AutomaticTopUp {
  return row.state === 'ON' ? { ...row, state: 'STOPPED', stopReason } : row;
}

/** With the card, so that it can be switched on again. A charge in progress is still settled. */
export function switchedOff({ stopReason: _, ...rest }: AutomaticTopUp): AutomaticTopUp {
  return { ...rest, state: 'OFF' };
}

export function withoutCard(row: AutomaticTopUp): AutomaticTopUp {
  const { sealedCard: _, cardOrder: __, cardDetails: ___, ...rest } = switchedOff(row);
  return rest;
}
