import * as v from 'valibot';

/**
 * Credits that were added to a wallet together, with what was paid for them, written in the transaction of the credit
 * row. Which lot a charge used is computed when its month is closed (decision 14).
 */

export const LOT_KINDS = ['paid', 'promotional', 'refund', 'correction'] as const;

/**
 * Credits that left a lot without a charge. `removed`: an operator's correction, whose lots are computed when its month
 * is closed; its value counts as expired.
 */
const withdrawal = v.object({
  kind: v.picklist(['refunded', 'expired', 'removed']),
  credits: v.number(),
  /** The accounting month of its booking. */
  month: v.string(),
  /** The reference of the negative credit row. */
  reference: v.string(),
});
export type Withdrawal = v.InferOutput<typeof withdrawal>;

export const lot = v.object({
  /** A ULID with the time of the credit. */
  id: v.string(),
  kind: v.picklist(LOT_KINDS),
  /** Whole credits when the lot was written. */
  credits: v.number(),
  /** 0 unless the lot is `paid`. */
  koboPerCredit: v.number(),
  netKobo: v.number(),
  vatKobo: v.number(),
  vatBasisPoints: v.number(),
  /** The reference of its credit row. */
  reference: v.string(),
  /** The order that paid for it. */
  order: v.optional(v.string()),
  /** The number of its invoice. */
  invoice: v.optional(v.string()),
  createdAt: v.string(),
  month: v.string(),
  /** A scheduled function then takes back the unspent credits. */
  expiresAt: v.optional(v.string()),
  /** By closed months. */
  consumed: v.record(v.string(), v.number()),
  withdrawals: v.array(withdrawal),
  /**
   * `credits` minus `consumed` minus `withdrawals`, without charges of open months. A withdrawal requires at least its
   * amount.
   */
  remaining: v.number(),
});
export type Lot = v.InferOutput<typeof lot>;

/** Credits of refunds, up to `month` if it is set. */
export function refundedCredits({ withdrawals }: Pick<Lot, 'withdrawals'>, month = '9999-12'): number {
  return withdrawals
    .filter((withdrawal) => withdrawal.kind === 'refunded' && withdrawal.month <= month)
    .reduce((sum, withdrawal) => sum + withdrawal.credits, 0);
}
