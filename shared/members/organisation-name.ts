import { invalidSchema } from '../core/errors.ts';
import { hasLongNumber, isPrintable } from '../core/printable-text.ts';

const LEAST = 2;
const MOST = 100;

/**
 * Returns the name of an organisation without surrounding spaces. Throws INVALID_SCHEMA if it is too short or too long,
 * or contains an unprintable character or a long number.
 */
export function organisationName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (!isPrintable(name))
    throw invalidSchema(
      'wrong_format',
      'name',
      'The name contains a control character or an invisible character.',
      'Enter one line of visible characters.',
    );
  // A long number may be an identity number, and the name is in the audit trail, which is never deleted.
  if (hasLongNumber(name))
    throw invalidSchema(
      'wrong_format',
      'name',
      'The name contains a number of 10 or more digits.',
      'Enter the name of the organisation without this number.',
    );
  if (name.length < LEAST || name.length > MOST)
    throw invalidSchema(
      name.length > MOST ? 'too_long' : 'wrong_value',
      'name',
      `The name must have ${LEAST} to ${MOST} characters.`,
      'Enter the name of the organisation.',
    );
  return name;
}
