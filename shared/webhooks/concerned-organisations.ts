import type { Organisation } from '../accounts/organisation.ts';
import type { OrganisationTable } from '../accounts/organisation-table.ts';
import type { DeliveredEvent } from '../events/delivered-event.ts';
import type { ShardTable } from '../ledger/tables/shard-table.ts';
import { SERVICE_NAMES, SERVICES } from '../verifications/services.ts';

/** The tables in which the organisations that an event concerns are found. */
export interface ConcernedReads {
  readonly organisations: Pick<OrganisationTable, 'getOrganisations'>;
  readonly shards: Pick<ShardTable, 'listShards'>;
}

/**
 * Returns the approved organisations that an event concerns: the one that it names, or all that may look up numbers
 * of its ID type. Members of other organisations cannot act on it.
 */
export async function concernedOrganisations(
  { detail }: Pick<DeliveredEvent, 'detail'>,
  { organisations, shards }: ConcernedReads,
): Promise<Organisation[]> {
  const isApproved = ({ status }: Organisation) => status === 'APPROVED';
  const { organisation, id_type } = detail;
  if (organisation !== undefined)
    return (await organisations.getOrganisations([String(organisation)])).filter(isApproved);
  // Without a live wallet, an organisation cannot send live requests.
  const wallets = (await shards.listShards('live')).map(({ wallet }) => wallet.organisationId);
  const services = SERVICE_NAMES.filter((name) => SERVICES[name].idType === id_type);
  const rows = await organisations.getOrganisations([...new Set(wallets)]);
  return rows.filter((row) => isApproved(row) && services.some((name) => Object.hasOwn(row.services, name)));
}
