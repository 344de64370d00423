import { lagosDay } from '../core/accounting-month.ts';
import { ServiceError } from '../core/errors.ts';
import type { InvitationTable } from './invitation-table.ts';
import { invitationHash, isOpen } from './invite-member.ts';
import type { MemberTable } from './member-table.ts';
import { isActive, isOwner, mayAssign } from './role.ts';
import type { Invitation, Membership, Person } from './rows.ts';

interface AcceptingTables {
  readonly members: Pick<MemberTable, 'getMember' | 'listMembers'>;
  readonly invitations: Pick<InvitationTable, 'findInvitation' | 'acceptInvitation'>;
}

/**
 * Makes the person a member if the secret belongs to an open invitation to their email address. Returns their
 * membership. Throws ALREADY_MEMBER if they already belong to the organisation. All other secrets are rejected with one
 * error, which does not reveal the reason.
 */
export async function acceptInvitation(
  person: Pick<Person, 'id' | 'email' | 'name'>,
  secret: string,
  { members, invitations }: AcceptingTables,
  nowMs: number,
): Promise<Membership> {
  const row = await invitations.findInvitation(invitationHash(secret));
  if (!row || row.email !== person.email || !isOpen(row, nowMs)) throw notUsable();
  const { organisationId, invitedBy, hadNoOwner } = row;
  const [earlier, inviter, team] = await Promise.all([
    members.getMember(organisationId, person.id),
    invitedBy === undefined ? undefined : members.getMember(organisationId, invitedBy),
    hadNoOwner ? members.listMembers(organisationId) : [],
  ]);
  if (earlier && isActive(earlier)) throw new ServiceError('ALREADY_MEMBER', { message: ALREADY_IN });
  if (invitedBy !== undefined && !mayStillInvite(inviter, row)) throw notUsable();
  if (team.some(isOwner)) throw notUsable();
  const member = newMember(person, row, earlier, nowMs);
  if (await invitations.acceptInvitation(row, member, inviter)) return member;
  throw notUsable();
}

/**
 * Members who were removed or lost a role could otherwise return, or regain the role, through an invitation that they
 * sent before.
 */
function mayStillInvite(inviter: Membership | undefined, { role }: Invitation): boolean {
  return inviter !== undefined && isActive(inviter) && mayAssign(inviter.role, role);
}

function newMember(
  person: Pick<Person, 'id' | 'email' | 'name'>,
  { organisationId, organisationName, role, invitedBy }: Invitation,
  earlier: Membership | undefined,
  nowMs: number,
): Membership {
  return {
    organisationId,
    personId: person.id,
    role,
    status: 'ACTIVE',
    organisationName,
    personName: person.name,
    email: person.email,
    since: new Date(nowMs).toISOString(),
    signedInOn: lagosDay(nowMs),
    ...(invitedBy !== undefined && { invitedBy }),
    version: (earlier?.version ?? 0) + 1,
  };
}

const ALREADY_IN = 'You are already a member of this organisation.';

function notUsable(): ServiceError<'INVITATION_NOT_USABLE'> {
  return new ServiceError('INVITATION_NOT_USABLE');
}
