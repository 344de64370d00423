import { lines, type Mail, quoted, utc, withoutLinks } from '../members/mail.ts';
import type { Alert, AlertKind } from './alert.ts';

const PAGES: Readonly<Record<AlertKind, string>> = {
  balance_low: '/wallet',
  key_expiring: '/keys',
  registry_down: '/status',
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
  to: string,
  { kind, title, text, at }: Pick<Alert, 'kind' | 'title' | 'text' | 'at'>,
  { name, isLast, consoleUrl }: AlertedOrganisation,
): Mail {
  return {
    to,
    subject: title,
    text: lines(
      `${withoutLinks(text)} This alert is for the organisation ${quoted(name)}. Time: ${utc(at)}.`,
      `Details are in the account console: ${consoleUrl}${PAGES[kind]}`,
      ...(isLast
        ? [
            'This is the last email about alerts like this one today. The Alerts page of the console shows all alerts.',
          ]
        : []),
      `You receive this email because you are an owner or a finance member of the organisation. Owners and administrators can switch off alerts of this kind: ${consoleUrl}/alerts`,
    ),
  };
}
