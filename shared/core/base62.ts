import { randomInt } from 'node:crypto';

/** Digits, then capitals, then small letters: text that a double click selects and a URL carries. */
export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters from a cryptographic source. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62.charAt(randomInt(BASE62.length))).join('');
}
