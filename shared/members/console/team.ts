import type { Recorder } from '../../audit/recorder.ts';
import { ServiceError } from '../../core/errors.ts';
import type { InputSchema, NoInput } from '../../http/console/middleware/json-body.ts';
import { ownOrigin } from '../../http/console/own-origin.ts';
import { pathId } from '../../http/console/path-id.ts';
import { acceptInvitation } from '../accept-invitation.ts';
import { cancelInvitation } from '../cancel-invitation.ts';
import { emailAddress } from '../email-address.ts';
import type { InvitationTable } from '../invitation-table.ts';
import { inviteMember } from '../invite-member.ts';
import { invitationLink, invitationMail, type SendMail } from '../mail.ts';
import { changeRole, removeMember } from '../manage-members.ts';
import type { MemberTable } from '../member-table.ts';
import type { ConsoleRun } from '../middleware/console-route.ts';
import type { ConsoleRequest, Prefetch, SignedInRequest } from '../middleware/member-request.ts';
import { notifyOwners } from '../middleware/notify-owners.ts';
import { isOwner } from '../role.ts';
import type { Invitation, Membership } from '../rows.ts';
import type { acceptBody, changeMemberBody, inviteBody } from './bodies.ts';
import { readSessionView, type SessionViewDependencies } from './session-view.ts';
import { invitationView, membersView, memberView } from './team-views.ts';
import type { InvitationView, MembersView, MemberView } from './views.ts';

export interface TeamDependencies {
  readonly members: (recorder?: Recorder) => MemberTable;
  readonly invitations: (recorder?: Recorder) => InvitationTable;
}

type Run<S extends InputSchema, T = undefined> = ConsoleRun<ConsoleRequest, S, T>;
export interface TeamReads {
  readonly members: readonly Membership[];
  readonly invitations: readonly Invitation[];
}

/** Runs while the session is checked. */
export function readTeam({ members, invitations }: TeamDependencies): Prefetch<TeamReads> {
  return async (organisationId) => {
    const [rows, sent] = await Promise.all([
      members().listMembers(organisationId),
      invitations().listInvitations(organisationId),
    ]);
    return { members: rows, invitations: sent };
  };
}

export function listMembers(): Run<NoInput, TeamReads> {
  return async ({ person, nowMs }, _, { members, invitations }) => ({
    data: membersView(members, invitations, person.id, nowMs) satisfies MembersView,
  });
}

const NOT_SENT = 'The invitation was created, but its email could not be sent. Invite the person again.';

/** POST /invitations: invites a person by email. The response is the same whether or not the address has an account. */
export function invite(
  { members, invitations }: TeamDependencies,
  sendMail: SendMail,
): Run<typeof inviteBody> {
  return async (request, { email, role }) => {
    const { event, organisation, membership, person, recorder, nowMs } = request;
    if (organisation.status !== 'APPROVED') await request.countMail('invitation');
    const order = { organisation, email: emailAddress(email, 'email'), role, inviter: membership };
    const tables = { members: members(), invitations: invitations(recorder) };
    const { row, secret } = await inviteMember(order, tables, nowMs);
    const link = invitationLink(ownOrigin(event), secret);
    await sendMail(invitationMail(row, person.name || person.email, link)).catch((cause: unknown) => {
      throw new ServiceError('SERVICE_UNAVAILABLE', { message: NOT_SENT, cause });
    });
    return { data: invitationView(row, [membership]) satisfies InvitationView };
  };
}

/** POST /invitations/{id}/cancel */
export function cancel({ invitations }: Pick<TeamDependencies, 'invitations'>): Run<NoInput> {
  return async ({ event, organisation, membership, recorder }) => {
    const ref = { organisationId: organisation.id, id: pathId(event) };
    await cancelInvitation(ref, membership.role, invitations(recorder));
    return { data: {} };
  };
}

/** POST /invitations/accept: makes the person a member of the organisation, in which the session continues. */
export function accept(
  { members, invitations }: TeamDependencies,
  sendMail: SendMail,
  views: SessionViewDependencies,
): ConsoleRun<SignedInRequest, typeof acceptBody, undefined> {
  return async (request, { token }) => {
    const { person, recorder, nowMs } = request;
    const tables = { members: members(), invitations: invitations(recorder) };
    const { organisationId, role } = await acceptInvitation(person, token, tables, nowMs);
    if (role === 'owner')
      await notifyOwners(request, organisationId, newOwner(person.email), { members: members(), sendMail });
    return {
      data: await readSessionView(request, organisationId, views),
      cookies: [request.cookieFor(organisationId)],
    };
  };
}

type MemberChange = Pick<TeamDependencies, 'members'>;

const newOwner = (email: string) => `${email} was made an owner`;

/** PUT /members/{id} */
export function change({ members }: MemberChange, sendMail: SendMail): Run<typeof changeMemberBody> {
  return async (request, { role }) => {
    const { event, organisation, person, recorder } = request;
    const ref = { organisationId: organisation.id, personId: pathId(event) };
    const countMail = () => request.countMail('notice');
    const table = members(recorder);
    const { member, before } = await changeRole({ personId: person.id }, ref, role, table, countMail);
    const wasOwner = before.some((one) => one.personId === member.personId && isOwner(one));
    const mail = { members: members(), sendMail };
    if (role === 'owner' && !wasOwner)
      await notifyOwners(request, organisation.id, newOwner(member.email), mail);
    if (role !== 'owner' && wasOwner)
      await notifyOwners(
        request,
        organisation.id,
        `${member.email} was changed from owner to ${role}`,
        mail,
        before,
      );
    return { data: memberView(member, before, person.id) satisfies MemberView };
  };
}

/** POST /members/{id}/remove */
export function remove({ members }: MemberChange, sendMail: SendMail): Run<NoInput> {
  return async (request) => {
    const { event, organisation, person, recorder } = request;
    const ref = { organisationId: organisation.id, personId: pathId(event) };
    const { member, before } = await removeMember({ personId: person.id }, ref, members(recorder));
    const what = `${member.email} was removed as owner`;
    // The removed owner receives the email too.
    if (member.role === 'owner')
      await notifyOwners(request, organisation.id, what, { members: members(), sendMail }, before);
    return { data: {} };
  };
}
