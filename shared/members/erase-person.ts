import { notPossible } from '../core/not-possible.ts';
import type { MembershipTable } from './membership-table.ts';
import type { PersonErasureTable } from './person-erasure-table.ts';
import { isActive } from './role.ts';

interface ErasureTables {
  readonly people: PersonErasureTable;
  readonly memberships: Pick<MembershipTable, 'listMemberships'>;
}

/**
 * Replaces the name and the email address of a person who no longer belongs to any organisation. Returns how many
 * memberships they had. Running it again is harmless. Error messages are for the operator.
 */
export async function erasePerson(personId: string, { people, memberships }: ErasureTables): Promise<number> {
  const [person, rows] = await Promise.all([
    people.getPerson(personId),
    memberships.listMemberships(personId),
  ]);
  if (!person && rows.length === 0) throw notPossible(`There is no person ${personId}. Nothing was changed.`);
  const active = rows.filter(isActive);
  if (active.length > 0)
    throw notPossible(
      `The person is still a member of ${active.map((row) => row.organisationId).join(', ')}. Remove them there first with \`member remove\`. Nothing was changed.`,
    );
  for (const row of rows)
    if (!(await people.eraseMembership(row)))
      throw notPossible(`The person became a member of ${row.organisationId} again. Run the command again.`);
  if (person) await people.erasePerson(personId);
  return rows.length;
}
