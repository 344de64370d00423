import type { Role } from '../core/member-role.ts';

/** Whether a member with the role `own` may give `role` to others or take it away. Only owners may change owners. */
export function mayAssign(own: Role, role: Role): boolean {
  return own === 'owner' || (own === 'admin' && role !== 'owner');
}

/** Explains to administrators why they may not change owners. */
export const OWNERS_ONLY =
  'Only an owner of the organisation can invite, change or remove owners. Ask an owner.';

/**
 * Whether the member currently belongs to the organisation. The row of a removed member remains, so that lists can
 * name them.
 */
export function isActive({ status }: { readonly status: 'ACTIVE' | 'REMOVED' }): boolean {
  return status === 'ACTIVE';
}

/** Whether the member is an owner of the organisation now. */
export function isOwner({
  role,
  status,
}: {
  readonly role: Role;
  readonly status: 'ACTIVE' | 'REMOVED';
}): boolean {
  return role === 'owner' && status === 'ACTIVE';
}
