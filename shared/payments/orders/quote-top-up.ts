import { lagosDay } from '../../core/accounting-month.ts';
import { notPossible } from '../../core/not-possible.ts';
import type { QuoteDependencies } from '../dependencies.ts';
import { type Amounts, priceOf } from '../naira.ts';
import type { BillingDetails } from '../prices/billing.ts';
import { koboPerCreditAt, vatRateOn } from '../prices/price.ts';

export interface QuotedPrice extends Amounts {
  readonly credits: number;
  readonly koboPerCredit: number;
  readonly vatBasisPoints: number;
  readonly buyer: BillingDetails;
}

/** `wrong-amount`: outside `least` and `most`. `incomplete`: `missing` must be set first. */
export type Quote =
  | { readonly kind: 'quoted'; readonly price: QuotedPrice }
  | { readonly kind: 'wrong-amount'; readonly least: number; readonly most: number }
  | { readonly kind: 'incomplete'; readonly missing: 'billing details' | 'price' };

/** At the price of now, with the rate of VAT of the day in Lagos on which it is paid. Writes nothing. */
export async function quoteTopUp(
  organisationId: string,
  credits: number,
  { prices, billing, settings, clock }: QuoteDependencies,
  paidAtMs = clock.nowMs(),
): Promise<Quote> {
  const { leastCredits: least, mostCredits: most } = settings;
  if (!Number.isInteger(credits) || credits < least || credits > most)
    return { kind: 'wrong-amount', least, most };
  const [koboPerCredit, buyer] = await Promise.all([
    readPrice(organisationId, new Date(clock.nowMs()).toISOString(), prices),
    billing.getBilling(organisationId),
  ]);
  if (!buyer) return { kind: 'incomplete', missing: 'billing details' };
  if (koboPerCredit === undefined) return { kind: 'incomplete', missing: 'price' };
  const vatBasisPoints = vatRateOn(settings.vat, lagosDay(paidAtMs));
  const amounts = priceOf(credits, koboPerCredit, vatBasisPoints);
  return { kind: 'quoted', price: { credits, koboPerCredit, vatBasisPoints, ...amounts, buyer } };
}

/** In kobo. Undefined if no price was set. */
export async function readPrice(
  organisationId: string,
  at: string,
  prices: QuoteDependencies['prices'],
): Promise<number | undefined> {
  const [stage, organisation] = await Promise.all([
    prices.listPrices(undefined),
    prices.listPrices(organisationId),
  ]);
  return koboPerCreditAt({ stage, organisation }, at);
}

/** A sentence for the operator. */
export function notQuoted(quote: Exclude<Quote, { readonly kind: 'quoted' }>, organisationId: string): Error {
  if (quote.kind === 'wrong-amount')
    return notPossible(
      `An order must be for ${quote.least.toLocaleString('en-US')} to ${quote.most.toLocaleString('en-US')} credits. Nothing was changed.`,
    );
  const command = quote.missing === 'price' ? 'price set' : `billing set ${organisationId}`;
  return notPossible(
    `No ${quote.missing} ${quote.missing === 'price' ? 'is' : 'are'} set, so no invoice can be written. Run \`admin ${command}\` first. Nothing was changed.`,
  );
}
