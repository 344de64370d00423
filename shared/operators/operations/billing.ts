import type { OrganisationTable } from '../../accounts/organisation-table.ts';
import type { Clock } from '../../core/clock.ts';
import type { BillingDetails, Party } from '../../payments/prices/billing.ts';
import type { BillingTable } from '../../payments/prices/billing-table.ts';
import { isSameParty } from '../../payments/prices/entered-billing.ts';
import { requireOrganisation } from './organisations.ts';

/** Billing details to set. Those that are undefined stay as they are. */
type GivenDetails = { readonly [K in keyof Party]?: Party[K] | undefined };

/** Returns the operations on the billing details of organisations. */
export function billingOperations(organisations: OrganisationTable, billing: BillingTable, clock: Clock) {
  async function billingOf(organisationId: string): Promise<BillingDetails | undefined> {
    await requireOrganisation(organisations, organisationId);
    return billing.getBilling(organisationId);
  }
  return {
    /** Returns the billing details of an organisation. Undefined if none are set. */
    billingOf,
    /**
     * Sets the given billing details and keeps the others. Writes nothing if they do not change. Throws if a detail
     * would be missing, or if another command changes them at the same time.
     */
    async setBilling(organisationId: string, given: GivenDetails, actor: string): Promise<BillingDetails> {
      const before = await billingOf(organisationId);
      const after = merged(before, given);
      if (before && isSameParty(before, after)) return before;
      const changedAt = new Date(clock.nowMs()).toISOString();
      const row = { ...after, changedAt, changedBy: actor };
      if (await billing.putBilling(organisationId, before, row)) return row;
      throw new Error(
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
    throw new Error(
      `An invoice needs all billing details, and these are not set yet: ${missing.join(', ')}. Nothing was changed.`,
    );
  return { name, address, taxNumber, email };
}
