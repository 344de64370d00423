import { isOwner } from '../members/role.ts';
import type { Membership } from '../members/rows.ts';
import type { ActionContext } from './action.ts';
import { membersOf } from './operator.ts';

/** Returns the owners of an organisation. */
export async function ownersOf(organisationId: string, context: ActionContext): Promise<Membership[]> {
  const { members } = await membersOf(context).teamOf(organisationId);
  return members.filter(isOwner);
}
