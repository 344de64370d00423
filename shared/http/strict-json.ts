import { type ErrorReason, ServiceError } from '../core/errors.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
/** In valid JSON: every string, with the colon after it if it is the name of a field. */
const STRINGS = /"(?:[^"\\]|\\.)*"[\t\n\r ]*:?/g;

/**
 * Parses UTF-8 JSON. Throws INVALID_SCHEMA for broken JSON, invalid UTF-8, duplicate names in one object (parsers disagree
 * on which one counts), and names that reach an object's prototype. The caller has limited the size.
 */
export function parseJsonStrictly(bytes: Uint8Array): unknown {
  let json: unknown;
  let text: string;
  try {
    text = UTF_8.decode(bytes);
    json = JSON.parse(text);
  } catch {
    throw rejected('not_json', 'The body is not valid JSON in UTF-8.', 'Use a JSON library to write it.');
  }
  const names = namesIn(json);
  const reserved = names.find((name) => PROTOTYPE_NAMES.has(name));
  if (reserved !== undefined)
    throw rejected('unknown_field', `Unknown field "${reserved}".`, 'Remove it.', reserved);
  // Of two equal names in one object, the parser keeps only one.
  if (names.length < writtenNames(text))
    throw rejected('duplicate_field', 'The body contains the same field twice.', 'Send each field once.');
  return json;
}

function rejected(reason: ErrorReason, problem: string, hint: string, field = ''): ServiceError {
  return new ServiceError('INVALID_SCHEMA', {
    message: `${problem} ${hint}`,
    details: { reason, field, hint },
  });
}

/** The names of all fields, nested objects included. */
function namesIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = Array.isArray(json) ? [] : Object.keys(json);
  return [...own, ...Object.values(json).flatMap(namesIn)];
}

function writtenNames(text: string): number {
  return text.match(STRINGS)?.filter((string) => string.endsWith(':')).length ?? 0;
}
