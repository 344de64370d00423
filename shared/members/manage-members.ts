import { ServiceError } from '../core/errors.ts';
import type { Role } from '../core/member-role.ts';
import type { MemberTable, RoleAndStatus } from './member-table.ts';
import { isActive, mayAssign, OWNERS_ONLY } from './role.ts';
import type { Membership } from './rows.ts';

/** The author of a change to a member: a member (by their ID) or an operator. */
type Actor = { readonly personId: string } | 'operator';

const MAX_ATTEMPTS = 5;

interface ChangedMember {
  readonly member: Membership;
  readonly before: readonly Membership[];
}

/** Throws a `ServiceError` if the change is not permitted. */
export function changeRole(
  actor: Actor,
  member: MemberRef,
  role: Role,
  table: MemberTable,
  beforeChange?: () => Promise<void>,
): Promise<ChangedMember> {
  return changeMember(actor, member, ({ status }) => ({ role, status }), table, beforeChange);
}

export function removeMember(actor: Actor, member: MemberRef, table: MemberTable): Promise<ChangedMember> {
  return changeMember(actor, member, ({ role }) => ({ role, status: 'REMOVED' }), table);
}

type MemberRef = Pick<Membership, 'organisationId' | 'personId'>;

/**
 * Reads the members, and changes one. If an owner is removed or loses the role, another member must still be an owner
 * when the change is written. Two owners therefore cannot remove each other at the same time.
 */
async function changeMember(
  actor: Actor,
  { organisationId, personId }: MemberRef,
  change: (row: Membership) => RoleAndStatus,
  table: MemberTable,
  beforeChange: () => Promise<void> = async () => undefined,
): Promise<ChangedMember> {
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const before = await table.listMembers(organisationId);
    const members = before.filter(isActive);
    const row = members.find((one) => one.personId === personId);
    if (!row) throw new ServiceError('RESOURCE_NOT_FOUND');
    const after = change(row);
    requirePermission(actor, members, [row.role, after.role]);
    if (row.role === after.role && row.status === after.status) return { member: row, before };
    const endsOwner = row.role === 'owner';
    const witness = endsOwner ? members.find((one) => one.role === 'owner' && one !== row) : undefined;
    if (endsOwner && !witness) throw new ServiceError('LAST_OWNER');
    await beforeChange();
    if (await table.changeMember(row, after, witness))
      return { member: { ...row, ...after, version: row.version + 1 }, before };
  }
  throw new ServiceError('CHANGED_MEANWHILE');
}

/** Throws unless the actor, in their current role, may give and take away these roles. */
function requirePermission(actor: Actor, members: readonly Membership[], roles: readonly Role[]): void {
  if (actor === 'operator') return;
  const own = members.find(({ personId }) => personId === actor.personId)?.role;
  if (!own) throw new ServiceError('ROLE_REQUIRED');
  if (!roles.every((role) => mayAssign(own, role)))
    throw new ServiceError('ROLE_REQUIRED', { message: OWNERS_ONLY });
}
