import type { Role } from '../core/member-role.ts';
import { notPossible } from '../core/not-possible.ts';
import { invitationLink, invitationMail } from '../members/mail.ts';
import type { ActionContext } from './action.ts';
import { membersOf } from './operations/members.ts';

/** An invitation and its link, of which only the hash is stored. */
export interface InvitedMember {
  readonly id: string;
  readonly link: string;
  /** ISO time. */
  readonly expiresAt: string;
  /** The name of the error if the email was not sent. The operator can then pass on the link. */
  readonly mailProblem?: string;
}

/** Invites a person to an organisation and sends them the link. */
export async function inviteByMail(
  organisationId: string,
  email: string,
  role: Role,
  context: ActionContext,
): Promise<InvitedMember> {
  const pages = context.console();
  if (!pages) throw notPossible('This deployment has no account console. Nothing was changed.');
  const { row, secret } = await membersOf(context).invite(organisationId, email, role);
  const link = invitationLink(pages.url, secret);
  const invited = { id: row.id, link, expiresAt: row.notAfter };
  try {
    await pages.sendMail(invitationMail(row, undefined, link));
    return invited;
  } catch (error) {
    return { ...invited, mailProblem: error instanceof Error ? error.name : 'unknown error' };
  }
}
