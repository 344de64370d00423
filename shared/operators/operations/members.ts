import type { Organisation } from '../../accounts/organisation.ts';
import type { Role } from '../../core/member-role.ts';
import { notPossible } from '../../core/not-possible.ts';
import { erasePerson } from '../../members/erase-person.ts';
import { invitationTable } from '../../members/invitation-table.ts';
import { inviteMember, isOpen } from '../../members/invite-member.ts';
import { removeMember } from '../../members/manage-members.ts';
import { memberTable } from '../../members/member-table.ts';
import { membershipTable } from '../../members/membership-table.ts';
import { personErasureTable } from '../../members/person-erasure-table.ts';
import { isActive, isOwner } from '../../members/role.ts';
import type { Invitation, Membership, Profile } from '../../members/rows.ts';
import { profileTable } from '../../profiles/profile-table.ts';
import type { Workplace } from '../deployment.ts';
import { organisationsIn, requireOrganisation } from './organisations.ts';

export interface Team {
  readonly members: readonly Membership[];
  readonly invitations: readonly Invitation[];
}

export interface SubmittedOrganisation {
  readonly organisation: Organisation;
  readonly profile: Profile;
}

/** People and profiles of the account console. */
export function membersOf(place: Workplace) {
  const { deployment, recorder, clock } = place;
  const { client, tables } = deployment;
  const { nowMs } = clock;
  const organisations = organisationsIn(place);
  const members = memberTable(client, tables.console, recorder);
  const invitations = invitationTable(client, tables.console, recorder);
  const profiles = profileTable(client, tables, recorder, nowMs);
  const people = personErasureTable(client, tables.console, recorder);
  const memberships = membershipTable(client, tables.console);

  async function teamOf(organisationId: string): Promise<Team> {
    await requireOrganisation(organisations, organisationId);
    const [rows, sent] = await Promise.all([
      members.listMembers(organisationId),
      invitations.listInvitations(organisationId),
    ]);
    return { members: rows.filter(isActive), invitations: sent.filter((one) => isOpen(one, nowMs())) };
  }
  return {
    teamOf,
    profileOf: (organisationId: string) => profiles.getProfile(organisationId),
    /**
     * Members can change the profile until the approval. A suspended organisation may have been pending before.
     */
    async requireReview({ id, status }: Organisation, version: number | undefined): Promise<void> {
      const profile = status === 'APPROVED' ? undefined : await profiles.getProfile(id);
      if (!profile || profile.version === version) return;
      throw notPossible(
        `The members of ${id} have entered a profile, whose version is now ${profile.version}. Check it with \`org profile ${id}\`, then run this command with \`--profile ${profile.version}\`. Nothing was changed.`,
      );
    },
    /** Otherwise, a profile that was never submitted would expire. */
    keepProfile: (organisationId: string) => profiles.keepProfile(organisationId),
    /** Oldest submission first. */
    async listSubmitted(): Promise<SubmittedOrganisation[]> {
      const pending = (await organisations.listOrganisations()).filter(({ status }) => status === 'PENDING');
      const found = await profiles.getProfiles(pending.map(({ id }) => id));
      return pending
        .flatMap((organisation) => {
          const profile = found.get(organisation.id);
          return profile?.submittedAt === undefined ? [] : [{ organisation, profile }];
        })
        .sort((a, b) => (a.profile.submittedAt ?? '').localeCompare(b.profile.submittedAt ?? ''));
    },
    /** Returns the invitation with the secret of its link, which is not stored. */
    async invite(organisationId: string, email: string, role: Role) {
      const organisation = await requireOrganisation(organisations, organisationId);
      const order = { organisation, email, role, inviter: undefined };
      return inviteMember(order, { members, invitations }, nowMs());
    },
    async findMember(organisationId: string, name: string): Promise<Membership> {
      const team = await teamOf(organisationId);
      const found = team.members.find(
        ({ personId, email }) => personId === name || email === name.toLowerCase(),
      );
      if (found) return found;
      throw notPossible(
        `The organisation ${organisationId} has no member with this ID or email address. \`member list\` shows its members.`,
      );
    },
    removeMember: (member: Membership) => removeMember('operator', member, members),
    /** They belong to no organisation. */
    eraseMember: (personId: string) => erasePerson(personId, { people, memberships }),
  };
}

/** Returns the owners of an organisation. */
export async function ownersOf(organisationId: string, place: Workplace): Promise<Membership[]> {
  const { members } = await membersOf(place).teamOf(organisationId);
  return members.filter(isOwner);
}
