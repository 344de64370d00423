import { invalidSchema } from '../core/errors.ts';
import { isPrintable, plainDigits } from '../core/printable-text.ts';

const LEAST = 2;
const MOST = 100;

/** 7 or more digits, even with one or two characters between neighbours that are no letters. */
const PHONE_NUMBER = /\p{Nd}(?:[^\p{L}\p{N}]{0,2}\p{Nd}){6}/u;
/** `https://…`, `www.…`, `name@…`, or a domain such as `evil.example`. Initials such as `J.P.` are none. */
const ADDRESS =
  /:\/\/|\bwww\.|\S@\S|[\p{L}\p{N}]\.(?:[a-z]{2,}|COM|NET|ORG|NG|CO|IO|APP)(?!\p{L})|\d\.\d+\.\d/u;

/**
 * Whether a name contains a phone number or an address. Our emails quote the names of organisations and people, who
 * could otherwise ask the recipients to call or to visit a page.
 */
export function hasContact(name: string): boolean {
  return PHONE_NUMBER.test(plainDigits(name)) || ADDRESS.test(name.normalize('NFKC'));
}

/**
 * Returns the name of an organisation without surrounding spaces. Throws INVALID_SCHEMA if it is too short or too long,
 * or contains an unprintable character, a phone number or an address.
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
  // A number may also be an identity number, and the name is in the audit trail, which is never deleted.
  if (hasContact(name))
    throw invalidSchema(
      'wrong_format',
      'name',
      'The name contains a number of 7 or more digits, or a web or email address.',
      'Enter the name of the organisation only.',
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
