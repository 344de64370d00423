import { notPossible } from '../../core/not-possible.ts';
import type { BillingDetails, Party } from '../../payments/prices/billing.ts';
import { billingTable } from '../../payments/prices/billing-table.ts';
import { isSameParty } from '../../payments/prices/entered-billing.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';

/** Billing details to set. Those that are undefined stay as they are. */
type GivenDetails = { readonly [K in keyof Party]?: Party[K] | undefined };

/** Billing details. */
export function billingOf(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const organisations = organisationsIn(place);
  const billing = billingTable(deployment.client, deployment.tables.payments, recorder);
  async function detailsOf(organisationId: string): Promise<BillingDetails | undefined> {
    await requireOrganisation(organisations, organisationId);
    return billing.getBilling(organisationId);
  }
  return {
    billingOf: detailsOf,
    /**
     * Sets the given billing details and keeps the others. Writes nothing if they do not change. Throws if a detail
     * would be missing, or if another command changes them at the same time.
     */
    async setBilling(organisationId: string, given: GivenDetails, actor: string): Promise<BillingDetails> {
      const before = await detailsOf(organisationId);
      const after = merged(before, given);
      if (before && isSameParty(before, after)) return before;
      const changedAt = new Date(clock.nowMs()).toISOString();
      const row = { ...after, changedAt, changedBy: actor };
      if (await billing.putBilling(organisationId, before, row)) return row;
      throw notPossible(
        `The billing details of ${organisationId} were changed at the same time. Run the same command again.`,
      );
    },
  };
}

/** Completes the given details with the stored ones. Throws if one is missing from both. */
export function merged(before: Party | undefined, given: GivenDetails): Party {
  const {
    name = before?.name,
    address = before?.address,
    taxNumber = before?.taxNumber,
    email = before?.email,
  } = given;
  const options = { '--name': name, '--address': address, '--tax-number': taxNumber, '--email': email };
  const missing = Object.entries(options).flatMap(([option, value]) => (value === undefined ? [option] : []));
  if (name === undefined || address === undefined || taxNumber === undefined || email === undefined)
    throw notPossible(
      `An invoice needs all billing details, and these are not set yet: ${missing.join(', ')}. Nothing was changed.`,
    );
  return { name, address, taxNumber, email };
}
