import { invalidSchema, requireText } from '../../core/errors.ts';
import { canonicalNumber, numberFormat } from '../../core/numbers.ts';
import { hasLongNumber, isPrintable } from '../../core/printable-text.ts';
import { checkFields } from '../../http/console/body-error.ts';
import { emailAddress } from '../../members/email-address.ts';
import type { Profile } from '../../members/rows.ts';
import type { EnteredProfile } from '../update-profile.ts';
import type { UpdateOrganisationBody } from './bodies.ts';
import type { ContactFields } from './views.ts';

const MOST_LINES = 6;
const MOST_CHARACTERS = 100;

/** In canonical form. INVALID_SCHEMA names all wrong fields. */
export function enteredProfile(body: Omit<UpdateOrganisationBody, 'version'>): EnteredProfile {
  const contacts = ['billing_contact', 'privacy_contact'] as const;
  checkFields(
    () => numberOf('CAC', body.company_number, 'company_number'),
    () => numberOf('TIN', body.tax_number, 'tax_number'),
    () => addressOf(body.address),
    ...contacts.flatMap((field) => [
      () => lineOf(body[field].name, `${field}.name`),
      () => emailAddress(body[field].email, `${field}.email`),
    ]),
  );
  return {
    companyNumber: numberOf('CAC', body.company_number, 'company_number'),
    taxNumber: numberOf('TIN', body.tax_number, 'tax_number'),
    address: addressOf(body.address),
    billingContact: contactOf(body.billing_contact, 'billing_contact'),
    privacyContact: contactOf(body.privacy_contact, 'privacy_contact'),
  };
}

/** An individual's Tax ID is their NIN. */
const NIN_DIGITS = 11;

function numberOf(idType: 'CAC' | 'TIN', text: string, field: string): string {
  requireText(text.trim(), field);
  if (idType === 'TIN' && text.replaceAll(/\D/g, '').length === NIN_DIGITS)
    throw invalidSchema(
      'wrong_format',
      field,
      `The field ${field} must not have 11 digits, because a Tax ID with 11 digits is the NIN of a person.`,
      'Enter the tax number of the organisation.',
    );
  const number = canonicalNumber(idType, text);
  if (number !== undefined) return number;
  const { text: format, example } = numberFormat(idType);
  throw invalidSchema(
    'wrong_format',
    field,
    `The field ${field} must be ${format.replace(', a NIN', '')}.`,
    `Enter a number such as ${example}.`,
  );
}

function addressOf(texts: readonly string[]): string[] {
  if (texts.length >= 1 && texts.length <= MOST_LINES)
    return texts.map((text, index) => lineOf(text, `address.${index}`));
  throw invalidSchema(
    'wrong_value',
    'address',
    `The field address must have 1 to ${MOST_LINES} lines.`,
    'Enter one line for each part of the address.',
  );
}

function contactOf({ name, email }: ContactFields, field: string): Profile['billingContact'] {
  return { name: lineOf(name, `${field}.name`), email: emailAddress(email, `${field}.email`) };
}

/** Without surrounding spaces. */
function lineOf(entered: string, field: string): string {
  const text = entered.normalize('NFC').trim();
  requireText(text, field);
  if (text.length > MOST_CHARACTERS)
    throw invalidSchema(
      'too_long',
      field,
      `The field ${field} is longer than ${MOST_CHARACTERS} characters.`,
      'Shorten it.',
    );
  // A long number may be the identity number of a person.
  if (isPrintable(text) && !hasLongNumber(text)) return text;
  throw invalidSchema(
    'wrong_format',
    field,
    `The field ${field} contains a control or invisible character, or a number of 10 or more digits.`,
    'Enter one line of visible characters.',
  );
}
