import { withLowBalance } from '../../accounts/manage-organisation.ts';
import type { Organisation } from '../../accounts/organisation.ts';
import type { OrganisationTable } from '../../accounts/organisation-table.ts';
import { ServiceError } from '../../core/errors.ts';

const MAX_ATTEMPTS = 5;

/**
 * Sets the number of credits below which the balance is low. Undefined means the stage's threshold. `row` is the
 * organisation as it was read. Returns the organisation after the change. Throws CHANGED_MEANWHILE if others keep
 * changing it.
 */
export async function changeBalanceAlert(
  row: Organisation,
  credits: number | undefined,
  table: Pick<OrganisationTable, 'getOrganisation' | 'updateOrganisation'>,
): Promise<Organisation> {
  let before: Organisation | undefined = row;
  for (let attempts = 0; before && attempts < MAX_ATTEMPTS; attempts += 1) {
    if (before.lowBalanceCredits === credits) return before;
    const after = withLowBalance(before, credits);
    const change = {
      target: 'low balance',
      before: { lowBalanceCredits: before.lowBalanceCredits ?? null },
      after: { lowBalanceCredits: credits ?? null },
    };
    if (await table.updateOrganisation(before, after, change)) return after;
    // Another change was written first. Ours only affects the threshold, so it can be applied to the new row.
    before = await table.getOrganisation(row.id);
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}
