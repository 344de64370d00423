import { canonicalNumber, isVirtualNin } from '../core/numbers.ts';
import type { TypedDetails } from './commitments.ts';

/** The form on the check page, into which an officer types details from a slip. */

export const FORM_FIELDS = ['nin', 'surname', 'given_names', 'birth_date'] as const;
export type FormField = (typeof FORM_FIELDS)[number];

export const LONGEST_VALUE = 600;
/** Room for the longest values. A letter with its marks takes up to 15 characters when encoded. */
export const MAX_FORM_BYTES = 16 * 1024;

export type FieldErrors = Readonly<Partial<Record<FormField, string>>>;

type CheckedForm =
  | { readonly kind: 'details'; readonly details: TypedDetails }
  | { readonly kind: 'incomplete'; readonly errors: FieldErrors };

const BOTH = 'To check this part, fill in both the given names and the date of birth.';
const TOO_LONG = `Type at most ${LONGEST_VALUE} characters.`;

/** Checks that everything needed was typed. The messages name the field, never its value. */
export function checkForm(values: Readonly<Partial<Record<FormField, string>>>): CheckedForm {
  const { nin, surname, given_names: givenNames, birth_date: birthDate } = values;
  const number = nin === undefined ? undefined : canonicalNumber('NIN', nin);
  const errors: Partial<Record<FormField, string>> = {};
  if (nin === undefined) errors.nin = 'Type the NIN that is printed on the slip.';
  else if (number === undefined || isVirtualNin(number))
    errors.nin = 'A NIN has exactly 11 digits. Spaces between them are fine.';
  if (surname === undefined) errors.surname = 'Type the surname that is printed on the slip.';
  if (givenNames === undefined && birthDate !== undefined) errors.given_names = BOTH;
  if (givenNames !== undefined && birthDate === undefined) errors.birth_date = BOTH;
  for (const field of FORM_FIELDS) if ((values[field] ?? '').length > LONGEST_VALUE) errors[field] = TOO_LONG;
  if (number === undefined || surname === undefined || Object.keys(errors).length > 0)
    return { kind: 'incomplete', errors };
  const person = givenNames === undefined || birthDate === undefined ? undefined : { givenNames, birthDate };
  return { kind: 'details', details: { nin: number, surname, ...(person && { person }) } };
}
