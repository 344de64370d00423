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
  const text = textOf(bytes);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalidSchema('not_json', '', 'The body is not valid JSON.', 'Use a JSON library to write it.');
  }
  checkNames(text);
  return json;
}

const AS_UTF_8 = 'Encode it as UTF-8. Windows PowerShell and older programs do not do so by default.';

/** Names the usual mistakes: JSON libraries write the right text, which other code encodes. */
function textOf(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16 || first === 0 || second === 0)
    throw invalidSchema('not_json', '', 'The body is in UTF-16 or UTF-32.', AS_UTF_8);
  if (first === 0xef && second === 0xbb && third === 0xbf)
    throw invalidSchema(
      'not_json',
      '',
      'The body begins with a byte-order mark.',
      'Encode it as UTF-8 without a byte-order mark, in .NET with new UTF8Encoding(false).',
    );
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw invalidSchema('not_json', '', 'The body is not in UTF-8, but perhaps in Latin-1.', AS_UTF_8);
  }
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
