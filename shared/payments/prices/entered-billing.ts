import { textProblem } from '../../core/printable-text.ts';
import type { Party } from './billing.ts';

/** For the CLI and the console. Longer details do not fit on invoices. */

export const MOST_ADDRESS_LINES = 5;
const MOST_CHARACTERS = 60;
const LONGEST_EMAIL = 100;

export const TAX_NUMBER_FORMAT =
  'It must be a tax identification number: 12345678-0001, 10 digits, or 13 digits.';
export const EMAIL_FORMAT = 'It must be an email address, for example accounts@example.com.';

/** For one line of an invoice: a sentence that begins with the subject. Undefined if valid. */
export function lineProblem(subject: string, text: string): string | undefined {
  const problem = textProblem(subject, text, MOST_CHARACTERS);
  if (problem !== undefined) return problem;
  return text.trim() === text ? undefined : `${subject} must not start or end with a space.`;
}

/**
 * As invoices print it: 12 digits with a hyphen, 10 digits (JTB), or 13 digits (Tax ID). Undefined if not valid.
 */
export function enteredTaxNumber(text: string): string | undefined {
  if (!/^(\d{8}-?\d{4}|\d{10}|\d{13})$/.test(text)) return undefined;
  return /^\d{12}$/.test(text) ? `${text.slice(0, 8)}-${text.slice(8)}` : text;
}

/** One that fits on invoices. */
export function isInvoiceEmail(text: string): boolean {
  return text.length <= LONGEST_EMAIL && /^[\w.+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(text);
}

/** Whether two parties have the same details. */
export function isSameParty(one: Party, other: Party): boolean {
  return partyText(one) === partyText(other);
}

function partyText({ name, address, taxNumber, email }: Party): string {
  return JSON.stringify([name, address, taxNumber, email]);
}
