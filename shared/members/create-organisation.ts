import { newOrganisation } from '../accounts/organisation.ts';
import { lagosDay } from '../core/accounting-month.ts';
import { ServiceError } from '../core/errors.ts';
import type { MembershipTable } from './membership-table.ts';
import type { NewOrganisationTable } from './new-organisation-table.ts';
import { isOwner } from './role.ts';
import type { Membership, Person } from './rows.ts';

/** A person who owns this many organisations cannot create another. Operators have no such limit. */
export const MOST_OWNED = 5;
const MAX_ATTEMPTS = 5;

interface NewOrganisationTables {
  readonly organisations: NewOrganisationTable;
  readonly memberships: Pick<MembershipTable, 'listMemberships'>;
}

/**
 * Creates a pending organisation that the person owns. Returns their membership. Throws ORGANISATION_LIMIT_REACHED if
 * they already own five.
 */
export async function createOwnOrganisation(
  person: Pick<Person, 'id' | 'email' | 'name'>,
  name: string,
  { organisations, memberships }: NewOrganisationTables,
  nowMs: number,
): Promise<Membership> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const creations = await organisations.getCreations(person.id);
    const owned = (await memberships.listMemberships(person.id)).filter(isOwner);
    if (owned.length >= MOST_OWNED) throw new ServiceError('ORGANISATION_LIMIT_REACHED');
    const row = newOrganisation(name, new Date(nowMs));
    const owner: Membership = {
      organisationId: row.id,
      personId: person.id,
      role: 'owner',
      status: 'ACTIVE',
      organisationName: name,
      personName: person.name,
      email: person.email,
      since: row.createdAt,
      signedInOn: lagosDay(nowMs),
      version: 1,
    };
    if (await organisations.insertOrganisation(row, owner, creations)) return owner;
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}
