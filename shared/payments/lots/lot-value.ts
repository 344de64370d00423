import { sum } from '../../core/sum.ts';
import { type Amounts, vatOf } from '../naira.ts';
import type { Lot } from './lot.ts';

/**
 * What the credits of a lot are worth, in kobo without VAT. If its VAT was taken out of a fixed total, its net is not a
 * multiple of its credits. Charges then take the first credits, refunds the last, and expiries those before them, so
 * that all parts add up to the net, and neither a refund nor a charge depends on the other.
 */

type Purchase = Pick<Lot, 'credits' | 'netKobo' | 'vatKobo' | 'vatBasisPoints'>;

/** Credits that left a lot. */
interface Taken {
  readonly consumed: number;
  readonly refunded: number;
  readonly expired: number;
}

export interface LotValue {
  readonly earnedKobo: number;
  readonly refundedKobo: number;
  readonly expiredKobo: number;
  readonly deferredKobo: number;
}

/** Of the first credits of a lot. */
export function worthOf({ credits, netKobo }: Pick<Lot, 'credits' | 'netKobo'>, first: number): number {
  return Number((BigInt(netKobo) * BigInt(first)) / BigInt(credits));
}

/** Before a month. */
export function takenBefore(lot: Pick<Lot, 'consumed' | 'withdrawals'>, month: string): Taken {
  const gone = lot.withdrawals.filter((one) => one.month < month);
  const refunded = sum(gone.map(({ kind, credits }) => (kind === 'refunded' ? credits : 0)));
  return {
    consumed: sum(Object.entries(lot.consumed).map(([other, credits]) => (other < month ? credits : 0))),
    refunded,
    expired: sum(gone.map(({ credits }) => credits)) - refunded,
  };
}

/** What a month's use of a lot was worth. `deferredKobo` is negative if charges used a lot of a later month. */
export function valueInMonth(lot: Lot, month: string, use: Taken): LotValue {
  const start = takenBefore(lot, month);
  const [before, after] = [
    positions(lot, start),
    positions(lot, {
      consumed: start.consumed + use.consumed,
      refunded: start.refunded + use.refunded,
      expired: start.expired + use.expired,
    }),
  ];
  const earnedKobo = after.earned - before.earned;
  const refundedKobo = after.refunded - before.refunded;
  const expiredKobo = after.expired - before.expired;
  const opening = lot.month <= month ? lot.netKobo - before.earned - before.refunded - before.expired : 0;
  const deferredKobo = opening - earnedKobo - refundedKobo - expiredKobo;
  return { earnedKobo, refundedKobo, expiredKobo, deferredKobo };
}

function positions(lot: Lot, { consumed, refunded, expired }: Taken) {
  const { credits, netKobo } = lot;
  const kept = worthOf(lot, credits - refunded);
  return {
    earned: worthOf(lot, consumed),
    refunded: netKobo - kept,
    expired: kept - worthOf(lot, credits - refunded - expired),
  };
}

/**
 * For `now` credits, after `before` credits were refunded. The difference of two rounded sums, so that all refunds of a
 * purchase return exactly its VAT.
 */
export function refundOf(
  purchase: Purchase,
  { before, now }: { readonly before: number; readonly now: number },
): Amounts {
  const [first, last] = [refundedUpTo(purchase, before), refundedUpTo(purchase, before + now)];
  const netKobo = last.netKobo - first.netKobo;
  const vatKobo = last.vatKobo - first.vatKobo;
  return { netKobo, vatKobo, totalKobo: netKobo + vatKobo };
}

function refundedUpTo(purchase: Purchase, refunded: number) {
  const { credits, vatBasisPoints } = purchase;
  const netKobo = purchase.netKobo - worthOf(purchase, credits - refunded);
  return { netKobo, vatKobo: refunded === credits ? purchase.vatKobo : vatOf(netKobo, vatBasisPoints) };
}
