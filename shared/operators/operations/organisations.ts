import { isDeepStrictEqual } from 'node:util';
import {
  approved,
  changeOrganisation,
  createOrganisation,
  suspended,
  withBvnBasis,
  withLowBalance,
  withoutServices,
  withPrice,
  withServices,
} from '../../accounts/manage-organisation.ts';
import { lacksBvnBasis, type Organisation, type RateLimit } from '../../accounts/organisation.ts';
import { type OrganisationTable, organisationTable } from '../../accounts/organisation-table.ts';
import { ENVIRONMENTS } from '../../core/environment.ts';
import { ID_TYPES } from '../../core/id-types.ts';
import { notPossible } from '../../core/not-possible.ts';
import { shardTable } from '../../ledger/tables/shard-table.ts';
import { SERVICE_NAMES, type ServiceName, servicesNamed } from '../../verifications/services.ts';
import type { Workplace } from '../deployment.ts';

const BVN_BASIS_NEEDED =
  "Pass --bvn-basis with the number of the organisation's licence from the Central Bank, or with the Central Bank's exception. Others may not use BVN data.";

export const organisationsIn = ({ deployment: { client, tables }, recorder }: Workplace) =>
  organisationTable(client, tables.apiKeys, recorder);

/** Throws if the organisation does not exist. */
export async function requireOrganisation(
  table: Pick<OrganisationTable, 'getOrganisation'>,
  id: string,
): Promise<Organisation> {
  const row = await table.getOrganisation(id);
  if (!row) throw notPossible(`There is no organisation ${id}.`);
  return row;
}

/** Organisations and their services. */
export function organisationsOf(place: Workplace) {
  const { client, tables } = place.deployment;
  const table = organisationsIn(place);
  const shards = shardTable(client, tables.wallets);
  const change = (id: string, how: (row: Organisation) => Organisation) => changeOrganisation(table, id, how);
  return {
    /** Creates a pending organisation without services, and its two empty wallets. */
    async createOrganisation(name: string): Promise<Organisation> {
      const row = await createOrganisation(table, name, new Date(place.clock.nowMs()));
      for (const env of ENVIRONMENTS) await shards.createShard({ env, organisationId: row.id }, 0);
      return row;
    },
    getOrganisation: (id: string) => requireOrganisation(table, id),
    async listOrganisations(): Promise<Organisation[]> {
      const rows = await table.listOrganisations();
      return rows.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },
    /** Lets live keys send requests. Also ends a suspension. */
    approve: (id: string) => change(id, approved),
    /** Rejects all requests of the organisation, starting with the next one. */
    suspend: (id: string, because?: string) => change(id, (row) => suspended(row, because)),
    setRate: (id: string, rateLimit: RateLimit) => change(id, (row) => ({ ...row, rateLimit })),
    /** Sets the balance below which `Balance Low` is published. Undefined selects the stage's default. */
    setLowBalance: (id: string, credits?: number) => change(id, (row) => withLowBalance(row, credits)),
    /**
     * Enables services. A name may also be an ID type, for all services of the type (contract B6). Throws if no basis
     * for the use of BVN data is given or was recorded before.
     */
    async enableServices(id: string, names: readonly string[], bvnBasis?: string): Promise<Organisation> {
      const services = servicesOf(names);
      return change(id, (row) => {
        const changed = withBvnBasis(row, bvnBasis);
        if (lacksBvnBasis(changed, services)) throw notPossible(BVN_BASIS_NEEDED);
        return withServices(changed, services);
      });
    },
    /** Disables services. Their special prices are kept. */
    async disableServices(id: string, names: readonly string[]): Promise<Organisation> {
      const services = servicesOf(names);
      return change(id, (row) => withoutServices(row, services));
    },
    /** Sets the price of enabled services in whole credits. */
    setPrice: async (id: string, name: string, price: number): Promise<Organisation> =>
      change(id, pricing(name, price)),
    /** Whether `setPrice` would change anything. Throws if it is not possible. */
    async changesPrice(id: string, name: string, price: number): Promise<boolean> {
      const row = await requireOrganisation(table, id);
      return !isDeepStrictEqual(pricing(name, price)(row), row);
    },
  };
}

/** Returns the change of a row that sets a price. */
function pricing(name: string, price: number): (row: Organisation) => Organisation {
  const services = servicesOf([name]);
  return (row) => services.reduce((priced, service) => withPrice(priced, service, price), row);
}

function servicesOf(names: readonly string[]): ServiceName[] {
  return names.flatMap((name) => {
    const problem = unknownService(name);
    if (problem !== undefined) throw notPossible(problem);
    return servicesNamed(name);
  });
}

/** Returns what is wrong with a name that is neither a service nor an ID type. Undefined for any other name. */
export function unknownService(name: string): string | undefined {
  if (servicesNamed(name).length > 0) return undefined;
  return `There is no service "${name}". Pass a service (${SERVICE_NAMES.join(', ')}), or an ID type (${ID_TYPES.join(', ')}) for all of its services.`;
}
