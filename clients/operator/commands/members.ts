import { type Command, InvalidArgumentError, Option } from 'commander';
import { ROLES, type Role } from '../../../shared/core/member-role.ts';
import { printable } from '../../../shared/core/printable-text.ts';
import { isEmailAddress } from '../../../shared/members/email-address.ts';
import { isPersonId } from '../../../shared/members/session.ts';
import type { InvitedMember } from '../../../shared/operators/invite-by-mail.ts';
import type { Team } from '../../../shared/operators/operations/members.ts';
import { organisationArgument } from '../arguments.ts';
import { type CommandContext, changeContext, commandContext } from '../command-context.ts';
import { counted, table, time } from '../output.ts';

/** Adds `member ...`: the people of organisations, who use the account console. */
export function memberCommands(program: Command): void {
  const group = program
    .command('member')
    .description('Manage the members of organisations in the account console');
  inviteCommand(group);
  group
    .command('list')
    .description('List the members of an organisation and its open invitations')
    .addArgument(organisationArgument())
    .action(async (id: string, _: object, command: Command) => {
      const { operator, print } = await commandContext(command);
      const team = await operator.teamOf(id);
      print({ organisation: id, ...teamView(team) }, teamText(team));
    });
  group
    .command('remove')
    .description('Remove a member from an organisation, with effect from their next request')
    .addArgument(organisationArgument())
    .argument('<member>', 'ID or email address of the member, as printed by `member list`')
    .action(async (id: string, name: string, _: object, command: Command) => {
      const { operator, changeOrRequest, print, confirm } = await changeContext(command);
      const member = await operator.findMember(id, name);
      await confirm(`Remove ${member.email} (${member.role}) from ${member.organisationName} (${id})?`);
      const removed = await changeOrRequest('member remove', { organisation: id, member: member.personId });
      if (removed) print(removedView(id, removed), removedText(removed));
    });
  eraseCommand(group);
}

function inviteCommand(group: Command): void {
  group
    .command('invite')
    .description('Invite a person to an organisation by email, and print the invitation link')
    .addArgument(organisationArgument())
    .argument('<email>', 'email address that the person must sign in with', parseAddress)
    .addOption(new Option('--role <role>', 'role of the new member').choices(ROLES).makeOptionMandatory())
    .action(async (id: string, email: string, { role }: { role: Role }, command: Command) => {
      const context = await changeContext(command);
      const invited = await context.changeOrRequest('member invite', { organisation: id, email, role });
      if (invited) printInvitation(id, { email, role }, invited, context);
    });
}

function eraseCommand(group: Command): void {
  group
    .command('erase')
    .description('Erase the name and email address of a person who no longer belongs to any organisation')
    .argument(
      '<person>',
      'ID of the person, as printed by `member list` before they were removed',
      parsePerson,
    )
    .action(async (personId: string, _: object, command: Command) => {
      const { change, print, confirm } = await changeContext(command);
      await confirm(`Erase the name and email address of the person ${personId}? This cannot be undone.`);
      const { memberships } = await change('member erase', { person: personId });
      print(
        { person: personId, memberships },
        `Erased the name and email address of ${personId} in ${counted(memberships, 'membership')}.`,
      );
    });
}

/** Prints the link of an invitation. Says so if its email was not sent, so that the operator can pass on the link. */
export function printInvitation(
  organisation: string,
  { email, role }: { readonly email: string; readonly role: Role },
  { id, link, expiresAt, mailProblem }: InvitedMember,
  { print, notify }: Pick<CommandContext, 'print' | 'notify'>,
): void {
  if (mailProblem !== undefined) notify(`The email was not sent (${mailProblem}). Send the link yourself.`);
  print(
    { organisation, invitation: id, email, role, link, expiresAt },
    `${link}\n\nInvited ${email} as ${role}. The link works once, until ${time(expiresAt)}, for this address only.`,
  );
}

export function removedView(organisation: string, { personId }: { readonly personId: string }) {
  return { organisation, removed: personId };
}

export function removedText({ email }: { readonly email: string }): string {
  return `Removed ${printable(email)}.`;
}

function parseAddress(text: string): string {
  const address = text.toLowerCase();
  if (!isEmailAddress(address)) throw new InvalidArgumentError('It must be an email address.');
  return address;
}

function parsePerson(text: string): string {
  if (isPersonId(text)) return text;
  throw new InvalidArgumentError('A person ID contains only letters, digits, hyphens and underscores.');
}

/** Returns a team as JSON output shows it: without the hashes of invitations. */
export function teamView({ members, invitations }: Team) {
  return {
    members: members.map(({ personId, personName, email, role, since }) => ({
      id: personId,
      name: personName,
      email,
      role,
      since,
    })),
    invitations: invitations.map(({ id, email, role, createdAt, notAfter }) => ({
      id,
      email,
      role,
      createdAt,
      expiresAt: notAfter,
    })),
  };
}

/** Formats a team for people. */
export function teamText({ members, invitations }: Team): string {
  const rows = members.map((one) => [one.personId, one.role, time(one.since), one.email, one.personName]);
  const open = invitations.map((one) => [one.role, time(one.notAfter), one.email]);
  return [
    `Members\n${table(['ID', 'ROLE', 'SINCE', 'EMAIL', 'NAME'], rows)}`,
    `Open invitations\n${table(['ROLE', 'EXPIRES', 'EMAIL'], open)}`,
  ].join('\n\n');
}
