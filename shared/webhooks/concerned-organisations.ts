import type { Organisation } from '../accounts/organisation.ts';
import type { OrganisationTable } from '../accounts/organisation-table.ts';
import type { ReceivedEvent } from '../events/received-event.ts';
import type { ShardTable } from '../ledger/tables/shard-table.ts';
import { SERVICE_NAMES, SERVICES } from '../verifications/services.ts';

export interface ConcernedReads {
  readonly organisations: Pick<OrganisationTable, 'getOrganisations'>;
  readonly shards: Pick<ShardTable, 'listShards'>;
}

/**
 * The approved organisation that the event names, or all that may look up its ID type: others could not act on it.
 */
export async function concernedOrganisations(
  { detail }: Pick<ReceivedEvent, 'detail'>,
  { organisations, shards }: ConcernedReads,
): Promise<Organisation[]> {
  const isApproved = ({ status }: Organisation) => status === 'APPROVED';
  const { organisation, id_type } = detail;
  if (organisation !== undefined)
    return (await organisations.getOrganisations([String(organisation)])).filter(isApproved);
  // They can make no live look-ups.
  const wallets = (await shards.listShards('live')).map(({ wallet }) => wallet.organisationId);
  const services = SERVICE_NAMES.filter((name) => SERVICES[name].idType === id_type);
  const rows = await organisations.getOrganisations([...new Set(wallets)]);
  return rows.filter((row) => isApproved(row) && services.some((name) => Object.hasOwn(row.services, name)));
}
