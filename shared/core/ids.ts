import { randomBytes } from 'node:crypto';

/**
 * Returns `req_` and 12 random lower-case hex characters (contract C11): a label for people, never the key of a money
 * row.
 */
export function newRequestId(): string {
  return `req_${randomBytes(6).toString('hex')}`;
}

/** The alphabet of ULIDs: Crockford's base 32. */
export const BASE_32 = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns a new ULID: 48 bits of time (epoch milliseconds) and 80 random bits. ULIDs are generated here, because a
 * library would add 2 KB to every function.
 */
export function newOperationId(nowMs: number = Date.now()): string {
  const random = Array.from(randomBytes(16), (byte) => BASE_32.charAt(byte % 32));
  return ulidTime(nowMs) + random.join('');
}

/** Returns the first ten characters of every ULID of this millisecond. */
function ulidTime(ms: number): string {
  let time = '';
  for (let rest = ms; time.length < 10; rest = Math.floor(rest / 32)) time = BASE_32.charAt(rest % 32) + time;
  return time;
}

/** Returns the smallest and the largest ULID of a period. Both ends, in epoch milliseconds, are included. */
export function ulidRange(fromMs: number, toMs: number): { readonly first: string; readonly last: string } {
  return { first: ulidTime(fromMs) + '0'.repeat(16), last: ulidTime(toMs) + 'Z'.repeat(16) };
}
