import type { Organisation } from '../accounts/organisation.ts';
import type { OrganisationTable } from '../accounts/organisation-table.ts';
import type { ReceivedEvent } from '../events/received-event.ts';
import type { ShardTable } from '../ledger/tables/shard-table.ts';
import { SERVICE_NAMES, SERVICES } from '../verifications/services.ts';

/** The tables for finding the organisations that an event concerns. */
export interface ConcernedReads {
  readonly organisations: Pick<OrganisationTable, 'getOrganisations'>;
  readonly shards: Pick<ShardTable, 'listShards'>;
}

/**
 * Returns the approved organisations that an event concerns: the organisation that it names, or all that may look up
 * numbers of its ID type. Members of other organisations could not act on it.
 */
export async function concernedOrganisations(
  { detail }: Pick<ReceivedEvent, 'detail'>,
  { organisations, shards }: ConcernedReads,
): Promise<Organisation[]> {
  const isApproved = ({ status }: Organisation) => status === 'APPROVED';
  const { organisation, id_type } = detail;
  if (organisation !== undefined)
    return (await organisations.getOrganisations([String(organisation)])).filter(isApproved);
  // Organisations without a live wallet cannot make look-ups with live keys.
  const wallets = (await shards.listShards('live')).map(({ wallet }) => wallet.organisationId);
  const services = SERVICE_NAMES.filter((name) => SERVICES[name].idType === id_type);
  const rows = await organisations.getOrganisations([...new Set(wallets)]);
  return rows.filter((row) => isApproved(row) && services.some((name) => Object.hasOwn(row.services, name)));
}
