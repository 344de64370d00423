import type { Alert } from '../alerts/alert.ts';
import type { AlertKind } from '../http/console/views.ts';
import type { Invitation, Profile } from './rows.ts';

/** The emails of the console: plain text, without advertising or tracking. */

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends an email. Rejects if it was not accepted. */
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
  const name = withoutLinks(organisationName);
  const invites =
    inviter === undefined
      ? `You are invited to join the organisation "${name}"`
      : `${withoutLinks(inviter)} invites you to join the organisation "${name}"`;
  return {
    to: email,
    subject: 'Invitation to an organisation in the account console',
    text: lines(
      `${invites} in the account console of the identity verification service. Your role will be: ${role === 'admin' ? 'administrator' : role}.`,
      `Open this link to accept, and sign in with the address ${email}:`,
      link,
      `The link works once, until ${utc(notAfter)}. Do not forward it.`,
      'If you do not know this organisation, ignore this email.',
    ),
  };
}

/** Returns the email that notifies the operator of an organisation that is waiting for approval. It names no person. */
export function submissionMail(
  to: string,
  organisation: { readonly id: string; readonly name: string },
  { companyNumber, companyCheck, taxCheck, version }: Profile,
): Mail {
  return {
    to,
    subject: `Organisation ${organisation.id} is waiting for approval`,
    text: lines(
      `The organisation "${withoutLinks(organisation.name)}" (${organisation.id}) was submitted for approval.`,
      `Company number: ${companyNumber} (look-up: ${companyCheck?.result ?? 'none'}). Tax number (look-up: ${taxCheck?.result ?? 'none'}).`,
      `Check its profile with \`admin org profile ${organisation.id}\`. Approve it with \`admin org approve ${organisation.id} --profile ${version}\`.`,
    ),
  };
}

/**
 * Returns the email that tells an owner what operators changed in their organisation. `what` completes a sentence, such
 * as "the live API key "backend" was created".
 */
export function operatorChangeMail(
  to: string,
  {
    organisationName,
    what,
    at,
    consoleUrl,
  }: {
    readonly organisationName: string;
    readonly what: string;
    /** ISO time. */
    readonly at: string;
    readonly consoleUrl: string;
  },
): Mail {
  return {
    to,
    subject: 'A change to your organisation by our operators',
    text: lines(
      `At ${utc(at)}, ${withoutLinks(what)} in the organisation "${withoutLinks(organisationName)}" by the operators of the identity verification service.`,
      `Keys and members are in the account console: ${consoleUrl}`,
      'If nobody in your organisation asked for this, reply to this email or contact support.',
    ),
  };
}

/** For each kind of alert, the page of the console that shows the details. */
const PAGES: Readonly<Record<AlertKind, string>> = {
  balance_low: '/wallet',
  key_expiring: '/keys',
  registry_down: '/status',
  unusual_traffic: '/requests',
};

/** What an email about an alert contains in addition to the alert. */
export interface AlertedOrganisation {
  readonly name: string;
  /** Whether this is the last email about alerts on this day. */
  readonly isLast: boolean;
  readonly consoleUrl: string;
}

/** Returns the email about an alert. The subject contains no text that a customer has entered. */
export function alertMail(
  to: string,
  { kind, title, text, at }: Pick<Alert, 'kind' | 'title' | 'text' | 'at'>,
  { name, isLast, consoleUrl }: AlertedOrganisation,
): Mail {
  return {
    to,
    subject: title,
    text: lines(
      `${withoutLinks(text)} This alert is for the organisation "${withoutLinks(name)}". Time: ${utc(at)}.`,
      `Details are in the account console: ${consoleUrl}${PAGES[kind]}`,
      ...(isLast
        ? ['This is the last email about alerts today. The Alerts page of the console shows all alerts.']
        : []),
      `You receive this email because you are an owner or a finance member of the organisation. Owners and administrators can switch off alerts of this kind: ${consoleUrl}/alerts`,
    ),
  };
}

/**
 * Changes a name so that mail programs find no link in it: `evil.example` becomes `evil. example`. Anyone can create an
 * organisation, so its name could otherwise put links into our emails.
 */
function withoutLinks(name: string): string {
  // Leaves networks and numbers such as 4.5 unchanged. Browsers also accept other kinds of full stops in addresses.
  return name.replace(/(?<!\d(?=[./]\d))[.:/\\@\u2024\u3002\ufe52\uff0e\uff61](?=\S)/gu, '$& ');
}

function lines(...paragraphs: readonly string[]): string {
  return `${paragraphs.join('\n\n')}\n`;
}

/** Formats an ISO time for people, as in `2026-11-30 14:05 UTC`. */
function utc(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}
