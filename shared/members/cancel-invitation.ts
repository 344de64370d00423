import { ServiceError } from '../core/errors.ts';
import type { Role } from '../core/member-role.ts';
import type { InvitationTable } from './invitation-table.ts';
import { mayAssign, OWNERS_ONLY } from './role.ts';

const NOT_OPEN = 'This invitation has already been accepted or cancelled. Reload the page.';

/**
 * Cancels an open invitation of an organisation. Throws if it is unknown or no longer open, or if the role may not
 * cancel it.
 */
export async function cancelInvitation(
  { organisationId, id }: { readonly organisationId: string; readonly id: string },
  own: Role,
  table: Pick<InvitationTable, 'getInvitation' | 'cancelInvitation'>,
): Promise<void> {
  const row = await table.getInvitation(organisationId, id);
  if (!row) throw new ServiceError('RESOURCE_NOT_FOUND');
  if (!mayAssign(own, row.role)) throw new ServiceError('ROLE_REQUIRED', { message: OWNERS_ONLY });
  if (!(await table.cancelInvitation(row)))
    throw new ServiceError('INVITATION_NOT_USABLE', { message: NOT_OPEN });
}
