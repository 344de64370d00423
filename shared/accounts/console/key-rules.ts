import type { Environment } from '../../core/environment.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Role } from '../../core/member-role.ts';
import type { Organisation } from '../organisation.ts';

/** The rules that decide who may change which keys in the console. */

const LIVE_KEYS_NEED_MANAGER =
  'Your role permits changes to test keys only. Ask an owner or administrator of the organisation to change live keys.';
const NOT_APPROVED =
  'The organisation is not approved yet, so it cannot have live keys. Complete its profile and submit it for approval.';

/**
 * Throws ROLE_REQUIRED unless a member with this role may change keys of this environment. Live keys give access to
 * real records and spend credits, so only people who are responsible for the organisation may change them.
 */
export function requireKeyRole(role: Role, env: Environment): void {
  const isManager = role === 'owner' || role === 'admin';
  if (isManager || (role === 'developer' && env === 'test')) return;
  throw new ServiceError('ROLE_REQUIRED', { message: LIVE_KEYS_NEED_MANAGER });
}

/** Throws UNAPPROVED_ORGANIZATION unless the organisation may have a new key of this environment. */
export function requireApproval({ status }: Pick<Organisation, 'status'>, env: Environment): void {
  if (env === 'live' && status !== 'APPROVED')
    throw new ServiceError('UNAPPROVED_ORGANIZATION', { message: NOT_APPROVED });
}
