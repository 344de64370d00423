import { createHash } from 'node:crypto';

/** Canonical JSON (RFC 8785): equal data have equal hashes, whatever the order of their attributes. */

/**
 * Returns the canonical JSON of a value that consists of strings, booleans, null, whole numbers, lists and plain
 * objects. Throws if a number is not whole, or too large to be exact.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new Error('A number in canonical JSON must be whole, and not too large to be exact.');
  }
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`).join()}}`;
}

/** Returns the SHA-256 of the canonical JSON of a value, in hexadecimal. */
export function canonicalSha256(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
