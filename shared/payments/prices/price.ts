import * as v from 'valibot';
import { notPossible } from '../../core/not-possible.ts';

/**
 * Kobo for one credit, without VAT. A row applies until the next one in its list, and is never edited. An
 * organisation's list overrides that of the stage.
 */

export const creditPrice = v.object({
  /** Null ends the organisation's own price: the stage's list applies again. */
  koboPerCredit: v.nullable(v.number()),
  /** ISO time from which the price applies. */
  from: v.string(),
  actor: v.string(),
  reason: v.string(),
  createdAt: v.string(),
});
export type CreditPrice = v.InferOutput<typeof creditPrice>;

/** In basis points, from a day in Africa/Lagos. */
interface VatRate {
  readonly from: string;
  readonly basisPoints: number;
}

/** The rows may be in any order. */
export function priceAt(rows: readonly CreditPrice[], at: string): CreditPrice | undefined {
  const begun = rows.filter(({ from }) => from <= at);
  return begun.reduce<CreditPrice | undefined>(
    (latest, row) => (latest && latest.from >= row.from ? latest : row),
    undefined,
  );
}

/** In kobo. Undefined if no price was set. */
export function koboPerCreditAt(
  lists: { readonly stage: readonly CreditPrice[]; readonly organisation: readonly CreditPrice[] },
  at: string,
): number | undefined {
  return (
    priceAt(lists.organisation, at)?.koboPerCredit ?? priceAt(lists.stage, at)?.koboPerCredit ?? undefined
  );
}

/** In basis points. Throws if the settings have none. */
export function vatRateOn(rates: readonly VatRate[], day: string): number {
  const begun = rates.filter(({ from }) => from <= day).sort((a, b) => (a.from < b.from ? 1 : -1));
  if (!begun[0]) throw notPossible(`The settings of the stage have no rate of VAT for ${day}.`);
  return begun[0].basisPoints;
}
