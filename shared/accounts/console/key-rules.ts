import type { Environment } from '../../core/environment.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Organisation } from '../organisation.ts';

const NOT_APPROVED =
  'The organisation is not approved yet, so it cannot have live keys. Complete its profile and submit it for approval.';

/** Throws UNAPPROVED_ORGANIZATION unless the organisation may have a new key of this environment. */
export function requireApproval({ status }: Pick<Organisation, 'status'>, env: Environment): void {
  if (env === 'live' && status !== 'APPROVED')
    throw new ServiceError('UNAPPROVED_ORGANIZATION', { message: NOT_APPROVED });
}
