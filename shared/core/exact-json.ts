/** Finds every integer of 16 digits or more outside strings, and some inside strings. */
const LONG_INTEGER = /(?:^|[\s:,[])-?\d{16}/;

/**
 * Parses JSON from another system. Integers that a number cannot hold exactly, such as IDs of 64 bits, become strings
 * of their digits. Throws if the text is not JSON.
 */
export function parseExactJson(text: string): unknown {
  // Without a reviver, JSON.parse is up to 30 times as fast and parses values of any depth.
  return LONG_INTEGER.test(text) ? JSON.parse(text, exactValue) : JSON.parse(text);
}

function exactValue(_: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? '';
  return /^-?\d+$/.test(source) ? source : value;
}
