import type { Membership } from './rows.ts';

/** Reads the members of an organisation, including removed ones. */
export interface MemberReads {
  listMembers(organisationId: string): Promise<Membership[]>;
}

/** The names of members by the ID of the person. Removed members are included. */
export type MemberNames = ReadonlyMap<string, string>;

const UNKNOWN = 'Removed member';

export function memberNames(members: readonly Membership[]): MemberNames {
  return new Map(members.map(({ personId, personName, email }) => [personId, personName || email]));
}

export function nameOfMember(names: MemberNames, personId: string): string {
  return names.get(personId) ?? UNKNOWN;
}
