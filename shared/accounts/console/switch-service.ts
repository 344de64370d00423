import { ServiceError } from '../../core/errors.ts';
import type { ServiceName } from '../../verifications/services.ts';
import { withoutServices, withServices } from '../manage-organisation.ts';
import { isSubscribed, lacksBvnBasis, type Organisation } from '../organisation.ts';
import type { OrganisationTable } from '../organisation-table.ts';

const MAX_ATTEMPTS = 5;

/**
 * Enables or disables a service for live keys. Its price is kept. `row` is the organisation as it was read. Returns the
 * organisation after the change. Throws BVN_BASIS_NEEDED if the operator has not recorded why the organisation may use BVN
 * data, and CHANGED_MEANWHILE if others keep changing the row.
 */
export async function switchService(
  row: Organisation,
  service: ServiceName,
  isEnabled: boolean,
  table: Pick<OrganisationTable, 'getOrganisation' | 'updateOrganisation'>,
): Promise<Organisation> {
  let before: Organisation | undefined = row;
  for (let attempts = 0; before && attempts < MAX_ATTEMPTS; attempts += 1) {
    if (isSubscribed(before.services, service, 'live') === isEnabled) return before;
    if (isEnabled && lacksBvnBasis(before, [service])) throw new ServiceError('BVN_BASIS_NEEDED');
    const after = isEnabled ? withServices(before, [service]) : withoutServices(before, [service]);
    const change = {
      target: `service ${service}`,
      before: { enabled: !isEnabled },
      after: { enabled: isEnabled },
    };
    if (await table.updateOrganisation(before, after, change)) return after;
    // Another change was written first. Ours only affects one service, so it can be applied to the new row.
    before = await table.getOrganisation(row.id);
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}
