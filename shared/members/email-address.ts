import { invalidSchema, requireText } from '../core/errors.ts';

/** The maximum length of an address that mail servers accept (RFC 5321). */
const MOST = 254;
/** Visible ASCII characters only, so that no address imitates another with letters from other alphabets. */
const ADDRESS = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+$/;

export function isEmailAddress(text: string): boolean {
  return text.length <= MOST && ADDRESS.test(text);
}

/**
 * Returns the address in lower case. Throws INVALID_SCHEMA, which names the field, if the text is not an email
 * address.
 */
export function emailAddress(text: string, field: string): string {
  const address = text.trim().toLowerCase();
  requireText(address, field);
  if (isEmailAddress(address)) return address;
  throw invalidSchema(
    'wrong_format',
    field,
    `The field ${field} must be an email address.`,
    'Enter an address such as name@example.com.',
  );
}
