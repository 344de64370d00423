import { invalidSchema } from '../core/errors.ts';
import { shownFieldName } from '../core/field-name.ts';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const PROTOTYPE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);
/** In valid JSON. The match of a field name includes its colon. */
const STRINGS_AND_BRACES = /"(?:[^"\\]|\\.)*"[\t\n\r ]*:?|[{}]/g;

/**
 * Throws INVALID_SCHEMA for an empty body, broken JSON, invalid UTF-8, duplicate names (parsers disagree on which
 * counts), and names that reach a prototype. The caller must limit the size.
 */
export function parseJsonStrictly(bytes: Uint8Array): unknown {
  if (bytes.length === 0)
    throw invalidSchema(
      'not_json',
      '',
      'The body is empty.',
      'Send a JSON object with the documented fields.',
    );
  let json: unknown;
  let text: string;
  try {
    text = UTF_8.decode(bytes);
    json = JSON.parse(text);
  } catch {
    throw invalidSchema(
      'not_json',
      '',
      'The body is not valid JSON in UTF-8.',
      'Use a JSON library to write it.',
    );
  }
  checkNames(text);
  return json;
}

/** In the text, because the parser keeps only one of several identical names. */
function checkNames(text: string): void {
  const openObjects: Set<string>[] = [];
  for (const [token] of text.matchAll(STRINGS_AND_BRACES)) {
    if (token === '{') openObjects.push(new Set());
    else if (token === '}') openObjects.pop();
    else if (token.endsWith(':')) checkName(JSON.parse(token.slice(0, -1)), openObjects.at(-1));
  }
}

function checkName(name: string, earlierNames = new Set<string>()): void {
  const field = shownFieldName(name);
  if (PROTOTYPE_NAMES.has(name))
    throw invalidSchema('unknown_field', field, `Unknown field "${field}".`, 'Remove it.');
  if (earlierNames.has(name))
    throw invalidSchema(
      'duplicate_field',
      field,
      `The body contains the field "${field}" more than once.`,
      'Send each field once.',
    );
  earlierNames.add(name);
}
