import type { Environment } from '../core/environment.ts';
import { ServiceError } from '../core/errors.ts';
import type { Role } from '../core/member-role.ts';

/** Whether a member with the role `own` may give `role` to others or take it away. Only owners may change owners. */
export function mayAssign(own: Role, role: Role): boolean {
  return own === 'owner' || (own === 'admin' && role !== 'owner');
}

export const OWNERS_ONLY =
  'Only an owner of the organisation can invite, change or remove owners. Ask an owner.';

/**
 * Whether the member currently belongs to the organisation. The row of a removed member remains, so that lists can
 * name them.
 */
export function isActive({ status }: { readonly status: 'ACTIVE' | 'REMOVED' }): boolean {
  return status === 'ACTIVE';
}

/** Whether the member is an owner now. */
export function isOwner({
  role,
  status,
}: {
  readonly role: Role;
  readonly status: 'ACTIVE' | 'REMOVED';
}): boolean {
  return role === 'owner' && status === 'ACTIVE';
}

const LIVE_NEEDS_MANAGER =
  'Your role permits this in the test environment only. Ask an owner or administrator of the organisation to change live keys, webhooks and slips.';

/**
 * Throws ROLE_REQUIRED unless the role may change keys, webhooks and slips of this environment. Live keys give access to real
 * records and spend credits, and customers' servers rely on live webhooks, so only people who are responsible for the
 * organisation may change them.
 */
export function requireEnvironmentRole(role: Role, env: Environment): void {
  const isManager = role === 'owner' || role === 'admin';
  if (isManager || (role === 'developer' && env === 'test')) return;
  throw new ServiceError('ROLE_REQUIRED', { message: LIVE_NEEDS_MANAGER });
}
