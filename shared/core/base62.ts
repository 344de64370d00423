import { randomInt } from 'node:crypto';

/**
 * Digits, then upper-case letters, then lower-case letters. A double-click selects a whole string of these characters,
 * and the string needs no escaping in URLs.
 */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random characters from a cryptographic source. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}
