import { errorFields, logger } from '../core/logger.ts';
import type { Invitation, Membership } from './rows.ts';

/** The emails of the console: plain text, without advertising or tracking. */

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

/**
 * Returns the link that accepts an invitation. The secret is in the fragment, which browsers do not send to any server.
 */
export function invitationLink(consoleUrl: string, secret: string): string {
  return `${consoleUrl}/invitation#${secret}`;
}

/**
 * Returns the email that invites a person to an organisation. `inviter` is the name of the member who sends it, or
 * undefined for an operator.
 */
export function invitationMail(
  { email, organisationName, role, notAfter }: Invitation,
  inviter: string | undefined,
  link: string,
): Mail {
  const name = quoted(organisationName);
  const invites =
    inviter === undefined
      ? `You are invited to join the organisation ${name}`
      : `${quoted(inviter)} invites you to join the organisation ${name}`;
  return {
    to: email,
    subject: 'Invitation to an organisation in the account console',
    text: lines(
      `${invites} in the account console of the identity verification service. Your role will be: ${role === 'admin' ? 'administrator' : role}.`,
      `Open this link to accept, and sign in with the address ${email}:`,
      link,
      `The link works once, until ${lagosTime(notAfter)}. Do not forward it.`,
      'If you do not know this organisation, ignore this email.',
    ),
  };
}

/** Returns the email for someone who signs up, but already has an account. */
export function accountExistsMail(email: string, signInUrl: string): Mail {
  return {
    to: email,
    subject: 'You already have an account in the account console',
    text: lines(
      `Someone, probably you, asked for an account in the account console of the identity verification service. The address ${email} already has one.`,
      'Open this link to sign in, or to choose a new password there:',
      signInUrl,
      'If you did not ask for this, ignore this email.',
    ),
  };
}

/** A change that owners are told about. */
interface OrganisationChange {
  readonly organisationName: string;
  /** Completes a sentence, such as "the live API key "backend" was created". */
  readonly what: string;
  /** The name of the member who made the change. Undefined for operators. */
  readonly by: string | undefined;
  /** What its operators give as the reason. */
  readonly because?: string | undefined;
  /** ISO time. */
  readonly at: string;
  readonly consoleUrl: string;
}

function changeMail(
  to: string,
  { organisationName, what, by, because, at, consoleUrl }: OrganisationChange,
): Mail {
  const who = by === undefined ? 'the operators of the identity verification service' : quoted(by);
  return {
    to,
    subject: `A change to your organisation${by === undefined ? ' by our operators' : ''}: ${withoutLinks(what)}`,
    text: lines(
      `At ${lagosTime(at)}, ${withoutLinks(what)} in the organisation ${quoted(organisationName)} by ${who}.`,
      ...(because === undefined ? [] : [`Their reason: ${quoted(because)}.`]),
      `Keys, members and alerts are in the account console: ${consoleUrl}`,
      'If nobody in your organisation asked for this, reply to this email or contact support.',
    ),
  };
}

/** Sends an email about a change to each of these owners. If that fails, the change remains. */
export async function mailOwners(
  owners: readonly Membership[],
  change: Omit<OrganisationChange, 'organisationName'>,
  sendMail: SendMail,
): Promise<void> {
  const sent = await Promise.allSettled(
    owners.map(({ email, organisationName }) => sendMail(changeMail(email, { ...change, organisationName }))),
  );
  for (const [index, result] of sent.entries())
    if (result.status === 'rejected')
      logger.error('An owner was not notified.', {
        organisation: owners[index]?.organisationId,
        ...errorFields(result.reason),
      });
}

/**
 * Changes a name so that mail programs find no link in it: `evil.example` becomes `evil. example`. Anyone can create an
 * organisation, so its name could otherwise put links into our emails.
 */
export function withoutLinks(name: string): string {
  // Leaves networks and numbers such as 4.5 unchanged. Browsers also accept other kinds of full stops in addresses.
  return name.replace(/(?<!\d(?=[./]\d))[.:/\\@\u2024\u3002\ufe52\uff0e\uff61](?=\S)/gu, '$& ');
}

/** A name cannot end its own quotation. */
export function quoted(name: string): string {
  return `"${withoutLinks(name).replaceAll('"', "'")}"`;
}

export function lines(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}

/** Formats an ISO time for people in Nigeria, as in `30 November 2026, 15:05 (Lagos time, UTC+1)`. */
export function lagosTime(time: string): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'Africa/Lagos' } as const;
  return `${new Intl.DateTimeFormat('en-GB', options).format(new Date(time)).replace(' at ', ', ')} (Lagos time, UTC+1)`;
}
