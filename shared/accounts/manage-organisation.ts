import { isDeepStrictEqual } from 'node:util';
import { notPossible } from '../core/not-possible.ts';
import { newOrganisation, type Organisation } from './organisation.ts';
import type { OrganisationTable } from './organisation-table.ts';

/**
 * The operator's actions on organisations. Members can perform some of them in the console. Error messages are meant
 * for the operator.
 */

export async function createOrganisation(
  table: OrganisationTable,
  name: string,
  now: Date,
): Promise<Organisation> {
  const row = newOrganisation(name, now);
  if (!(await table.insertOrganisation(row)))
    throw notPossible('The generated organisation ID already exists. Run the command again.');
  return row;
}

/**
 * Reads the row and writes what changes, on the condition that it has not been changed in the meantime. Writes
 * nothing if nothing changes. Throws if there is no such organisation, or if others keep changing it.
 */
export async function changeOrganisation(
  table: OrganisationTable,
  id: string,
  change: (row: Organisation) => Organisation,
): Promise<Organisation> {
  for (let attempts = 0; attempts < 5; attempts += 1) {
    const row = await table.getOrganisation(id);
    if (!row) throw notPossible(`There is no organisation ${id}.`);
    const changed = change(row);
    if (isDeepStrictEqual(changed, row)) return row;
    if (await table.updateOrganisation(row, changed)) return { ...changed, version: row.version + 1 };
  }
  throw notPossible(`The organisation ${id} is being changed by another command. Run this command again.`);
}

export function approved({ suspendedBecause: _, ...row }: Organisation): Organisation {
  return { ...row, status: 'APPROVED' };
}

/** Without a reason, keeps the one that was given before. */
export function suspended(row: Organisation, because = row.suspendedBecause): Organisation {
  return { ...row, status: 'SUSPENDED', ...(because !== undefined && { suspendedBecause: because }) };
}

/** Sets the threshold for a low balance, in credits. Undefined means the stage's threshold. */
export function withLowBalance(row: Organisation, credits: number | undefined): Organisation {
  const { lowBalanceCredits: _, ...rest } = row;
  return credits === undefined ? rest : { ...rest, lowBalanceCredits: credits };
}

/** Records which licence or exception permits the organisation to use BVN data. */
export const withBvnBasis = (row: Organisation, bvnBasis?: string): Organisation =>
  bvnBasis === undefined ? row : { ...row, bvnBasis };

/** Enables services. A price that was set before applies again. */
export function withServices(row: Organisation, services: readonly string[]): Organisation {
  const added = Object.fromEntries(services.map((service) => [service, {}]));
  return { ...row, services: { ...row.services, ...added } };
}

/** Disables services. Their prices are kept in case they are enabled again. */
export function withoutServices(row: Organisation, services: readonly string[]): Organisation {
  const kept = Object.entries(row.services).filter(([service]) => !services.includes(service));
  return { ...row, services: Object.fromEntries(kept) };
}

export function withPrice(row: Organisation, service: string, price: number): Organisation {
  if (!Object.hasOwn(row.services, service))
    throw notPossible(`${service} is not enabled for ${row.id}. Enable it first.`);
  return { ...row, prices: { ...row.prices, [service]: price } };
}
