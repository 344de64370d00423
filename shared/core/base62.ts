import { randomInt } from 'node:crypto';

/** Digits, then upper-case letters, then lower-case letters. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random characters from a cryptographic source. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}
