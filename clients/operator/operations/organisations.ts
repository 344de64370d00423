import {
  approved,
  changeOrganisation,
  createOrganisation,
  suspended,
  withLowBalance,
  withoutServices,
  withPrice,
  withServices,
} from '../../../shared/accounts/manage-organisation.ts';
import type { Organisation, RateLimit } from '../../../shared/accounts/organisation.ts';
import type { OrganisationTable } from '../../../shared/accounts/organisation-table.ts';
import type { Environment } from '../../../shared/core/environment.ts';
import { ID_TYPES } from '../../../shared/core/id-types.ts';
import type { LedgerTools } from '../../../shared/ledger/dependencies.ts';
import type { ShardTable } from '../../../shared/ledger/tables/shard-table.ts';
import { SERVICE_NAMES, type ServiceName, servicesNamed } from '../../../shared/verifications/services.ts';

export const ENVIRONMENTS = ['live', 'test'] as const satisfies readonly Environment[];

/** The row of an organisation that must exist. */
export async function requireOrganisation(table: OrganisationTable, id: string): Promise<Organisation> {
  const row = await table.getOrganisation(id);
  if (!row) throw new Error(`There is no organisation ${id}.`);
  return row;
}

export function organisationOperations(table: OrganisationTable, shards: ShardTable, tools: LedgerTools) {
  const change = (id: string, how: (row: Organisation) => Organisation) => changeOrganisation(table, id, how);
  return {
    /** Makes a pending organisation with nothing enabled, and its two empty wallets. */
    async createOrganisation(name: string): Promise<Organisation> {
      const row = await createOrganisation(table, name, new Date(tools.nowMs()));
      for (const env of ENVIRONMENTS) await shards.createShard({ env, organisationId: row.id }, 0);
      return row;
    },
    getOrganisation: (id: string) => requireOrganisation(table, id),
    /** Every organisation, oldest first. */
    async listOrganisations(): Promise<Organisation[]> {
      const rows = await table.listOrganisations();
      return rows.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
    },
    /** Opens the live environment; ends a suspension too. */
    approve: (id: string) => change(id, approved),
    /** Refuses all requests of the organisation from the next one on. */
    suspend: (id: string) => change(id, suspended),
    /** For each of its keys: requests per second sustained, and at once. */
    setRate: (id: string, rateLimit: RateLimit) => change(id, (row) => ({ ...row, rateLimit })),
    /** Its balance is low below so many credits; undefined: below the stage's own number. */
    setLowBalance: (id: string, credits?: number) => change(id, (row) => withLowBalance(row, credits)),
    /** `names` are services, or ID types for all services of the type (decision B6). */
    async enableServices(id: string, names: readonly string[]): Promise<Organisation> {
      const services = servicesOf(names);
      return change(id, (row) => withServices(row, services));
    },
    /** An own price goes with the service. */
    async disableServices(id: string, names: readonly string[]): Promise<Organisation> {
      const services = servicesOf(names);
      return change(id, (row) => withoutServices(row, services));
    },
    /** In whole credits, for services that are enabled. */
    async setPrice(id: string, name: string, price: number): Promise<Organisation> {
      const services = servicesOf([name]);
      return change(id, (row) =>
        services.reduce((priced, service) => withPrice(priced, service, price), row),
      );
    },
  };
}

function servicesOf(names: readonly string[]): ServiceName[] {
  return names.flatMap((name) => {
    const services = servicesNamed(name);
    if (services.length === 0)
      throw new Error(
        `There is no service "${name}". The services are ${SERVICE_NAMES.join(', ')}; an ID type (${ID_TYPES.join(', ')}) names all of its services.`,
      );
    return services;
  });
}
