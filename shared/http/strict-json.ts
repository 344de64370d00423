import { ServiceError } from '../core/errors.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const POISONOUS = new Set(['__proto__', 'constructor', 'prototype']);
/** In valid JSON: every string, with the colon behind it where it is the name of a field. */
const STRINGS = /"(?:[^"\\]|\\.)*"[\t\n\r ]*:?/g;

/**
 * Parses UTF-8 JSON. Throws INVALID_SCHEMA for broken JSON, invalid UTF-8, a name that stands twice in one object
 * (parsers disagree on which counts), and names that reach an object's prototype. The caller has limited the size.
 */
export function parseJsonStrictly(bytes: Uint8Array): unknown {
  let json: unknown;
  let text: string;
  try {
    text = UTF_8.decode(bytes);
    json = JSON.parse(text);
  } catch {
    throw new ServiceError('INVALID_SCHEMA', { message: 'The body is not valid JSON in UTF-8.' });
  }
  const names = namesIn(json);
  if (names.some((name) => POISONOUS.has(name)))
    throw new ServiceError('INVALID_SCHEMA', { message: 'The body has a field that is not documented.' });
  // Of two equal names in one object only one has survived.
  if (names.length < writtenNames(text))
    throw new ServiceError('INVALID_SCHEMA', { message: 'The body has the same field twice.' });
  return json;
}

/** The names of all fields, those of nested objects too. */
function namesIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = Array.isArray(json) ? [] : Object.keys(json);
  return [...own, ...Object.values(json).flatMap(namesIn)];
}

function writtenNames(text: string): number {
  return text.match(STRINGS)?.filter((string) => string.endsWith(':')).length ?? 0;
}
