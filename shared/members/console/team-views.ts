import { ROLES } from '../../core/member-role.ts';
import { isOpen } from '../invite-member.ts';
import { isActive } from '../role.ts';
import type { Invitation, Membership } from '../rows.ts';
import type { InvitationView, MembersView, MemberView } from './views.ts';

/** Returns the data of GET /members. `ownId` is the ID of the member who sent the request. */
export function membersView(
  rows: readonly Membership[],
  invitations: readonly Invitation[],
  ownId: string,
  nowMs: number,
): MembersView {
  const byRoleAndName = (a: Membership, b: Membership) =>
    ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || nameOf(a).localeCompare(nameOf(b));
  return {
    members: rows
      .filter(isActive)
      .sort(byRoleAndName)
      .map((row) => memberView(row, rows, ownId)),
    invitations: invitations
      .filter((row) => isOpen(row, nowMs))
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .map((row) => invitationView(row, rows)),
  };
}

/**
 * Returns a member as the pages show them. `rows` also contains removed members, because one of them may have invited
 * the member.
 */
export function memberView(row: Membership, rows: readonly Membership[], ownId: string): MemberView {
  const { personId, email, role, since, signedInOn, invitedBy } = row;
  return {
    id: personId,
    name: nameOf(row),
    email,
    role,
    since,
    last_sign_in: signedInOn ?? null,
    invited_by: inviterName(invitedBy, rows),
    is_you: personId === ownId,
  };
}

/** Leaves out the hash. */
export function invitationView(row: Invitation, rows: readonly Membership[]): InvitationView {
  const { id, email, role, invitedBy, notAfter } = row;
  return {
    id,
    email,
    role,
    invited_by: inviterName(invitedBy, rows),
    expires_at: notAfter,
  };
}

function nameOf({ personName, email }: Membership): string {
  return personName || email;
}

function inviterName(personId: string | undefined, rows: readonly Membership[]): string | null {
  const row = personId === undefined ? undefined : rows.find((one) => one.personId === personId);
  return row ? nameOf(row) : null;
}
