import { notPossible } from '../../core/not-possible.ts';
import { type CreditPrice, koboPerCreditAt, priceAt } from '../../payments/prices/price.ts';
import { priceTable } from '../../payments/prices/price-table.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';

/** `organisationId` is undefined for the stage. */
export interface PriceChange {
  readonly organisationId: string | undefined;
  /** Null ends the organisation's own price. */
  readonly koboPerCredit: number | null;
  /** ISO time. @default the time of the change */
  readonly from: string | undefined;
  readonly reason: string;
}

/** Oldest first. */
export interface PriceLists {
  readonly stage: readonly CreditPrice[];
  readonly organisation: readonly CreditPrice[];
  /** In kobo. */
  readonly koboPerCredit: number | undefined;
  /** ISO time at which `koboPerCredit` applies. */
  readonly at: string;
}

/** Prices of credits. */
export function pricesOf(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const organisations = organisationsIn(place);
  const prices = priceTable(deployment.client, deployment.tables.payments, recorder);
  async function listsOf(organisationId: string | undefined): Promise<PriceLists> {
    if (organisationId !== undefined) await requireOrganisation(organisations, organisationId);
    const stage = await prices.listPrices(undefined);
    const organisation = organisationId === undefined ? [] : await prices.listPrices(organisationId);
    const at = new Date(clock.nowMs()).toISOString();
    return { stage, organisation, koboPerCredit: koboPerCreditAt({ stage, organisation }, at), at };
  }
  return {
    priceLists: listsOf,
    /** So that no approval is requested for it. */
    async checkPriceChange({ organisationId, koboPerCredit, from }: PriceChange): Promise<void> {
      const { stage, organisation, at } = await listsOf(organisationId);
      const start = from ?? at;
      if (start < at)
        throw notPossible(
          `The price would apply from ${start}, which is in the past. A price never changes what has already been sold. Nothing was changed.`,
        );
      const list = organisationId === undefined ? stage : organisation;
      if (list.some((row) => row.from === start)) throw sameTime(start);
      if (koboPerCredit === null && (priceAt(list, start)?.koboPerCredit ?? null) === null)
        throw notPossible(
          `The organisation has no price of its own at ${start}, so there is none to end. Nothing was changed.`,
        );
    },
    /** Throws if the list has a price from the same time. */
    async setCreditPrice(
      { organisationId, koboPerCredit, from, reason }: PriceChange,
      actor: string,
    ): Promise<CreditPrice> {
      const createdAt = new Date(clock.nowMs()).toISOString();
      const price: CreditPrice = { koboPerCredit, from: from ?? createdAt, actor, reason, createdAt };
      const before = koboPerCreditAt(await listsOf(organisationId), price.from);
      if (!(await prices.addPrice(organisationId, price, before))) throw sameTime(price.from);
      return price;
    },
  };
}

function sameTime(from: string): Error {
  return notPossible(
    `The price list already has a price from ${from}. A price is never edited: set one from a later time. Nothing was changed.`,
  );
}
