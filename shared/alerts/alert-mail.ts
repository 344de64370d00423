import { lagosTime, lines, type Mail, quoted, withoutLinks } from '../members/mail.ts';
import type { Membership } from '../members/rows.ts';
import type { Alert } from './alert.ts';
import type { AlertKind } from './alert-names.ts';

const PAGES: Readonly<Record<AlertKind, string>> = {
  balance_low: '/wallet',
  automatic_top_up: '/wallet',
  key_expiring: '/keys',
  registry_down: '/status',
  payment: '/wallet',
  unusual_traffic: '/requests',
};

export interface AlertedOrganisation {
  readonly name: string;
  /** Whether this is the last email about this type of event on this day. */
  readonly isLast: boolean;
  readonly consoleUrl: string;
}

/** Returns the email about an alert. The subject contains no text that a customer has entered. */
export function alertMail(
  { email }: Pick<Membership, 'email'>,
  { kind, environment, title, text, at }: Omit<Alert, 'id' | 'expiresAt'>,
  { name, isLast, consoleUrl }: AlertedOrganisation,
): Mail {
  const page = `${PAGES[kind]}${environment === 'test' ? '?env=test' : ''}`;
  return {
    to: email,
    subject: title,
    text: lines(
      `${withoutLinks(text)} This email is for the organisation ${quoted(name)}. Time: ${lagosTime(at)}.`,
      `Details are in the account console: ${consoleUrl}${page}`,
      ...(isLast
        ? [
            'This is the last email about alerts like this one today. The Alerts page of the console shows all alerts.',
          ]
        : []),
      `You can choose which emails you receive: ${consoleUrl}/alerts`,
    ),
  };
}
