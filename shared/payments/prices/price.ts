import * as v from 'valibot';

/**
 * The price list: kobo for one credit, without VAT. A row applies from its time until the next one in the same list and
 * is never edited. An organisation's own list overrides that of the stage.
 */

export const creditPrice = v.object({
  /** Integer kobo for one credit. Null ends the organisation's own price: the stage's list applies again. */
  koboPerCredit: v.nullable(v.number()),
  /** ISO time from which the price applies. */
  from: v.string(),
  actor: v.string(),
  reason: v.string(),
  /** ISO time at which the row was written. */
  createdAt: v.string(),
});
export type CreditPrice = v.InferOutput<typeof creditPrice>;

/** A rate of VAT in basis points, and the day (`yyyy-mm-dd`, Africa/Lagos) from which it applies. */
interface VatRate {
  readonly from: string;
  readonly basisPoints: number;
}

/** Returns the row of a list that applies at an ISO time. The rows may be in any order. */
export function priceAt(rows: readonly CreditPrice[], at: string): CreditPrice | undefined {
  const begun = rows.filter(({ from }) => from <= at);
  return begun.reduce<CreditPrice | undefined>(
    (latest, row) => (latest && latest.from >= row.from ? latest : row),
    undefined,
  );
}

/** Returns the price of one credit for an organisation at an ISO time, in kobo. Undefined if no price was set. */
export function koboPerCreditAt(
  lists: { readonly stage: readonly CreditPrice[]; readonly organisation: readonly CreditPrice[] },
  at: string,
): number | undefined {
  return (
    priceAt(lists.organisation, at)?.koboPerCredit ?? priceAt(lists.stage, at)?.koboPerCredit ?? undefined
  );
}

/** Returns the rate of VAT in basis points on a day. Throws if the stage's settings have none for it. */
export function vatRateOn(rates: readonly VatRate[], day: string): number {
  const begun = rates.filter(({ from }) => from <= day).sort((a, b) => (a.from < b.from ? 1 : -1));
  if (!begun[0]) throw new Error(`The settings of the stage have no rate of VAT for ${day}.`);
  return begun[0].basisPoints;
}
