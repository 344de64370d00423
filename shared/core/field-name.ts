import { closest, distance } from 'fastest-levenshtein';
import { escaped, LONG_NUMBER } from './printable-text.ts';

const MAX_LENGTH = 64;

/**
 * Returns a field's name, which is the caller's own text, in a form that an error may show: shortened, with quotes,
 * backslashes and all characters except printable ASCII escaped, and without a long number that the caller may have
 * written instead of a name.
 */
export function shownFieldName(name: string): string {
  return name
    .replace(LONG_NUMBER, '****')
    .slice(0, MAX_LENGTH)
    .replace(/[^ !#-[\]-~]/g, escaped);
}

/**
 * A known name is suggested only if at most this share of its characters differs from the name that the caller wrote.
 */
const SIMILAR = 0.34;

/** Returns a sentence that says which field or query parameter the caller may have meant, or which ones exist. */
export function unknownNameHint(
  kind: 'fields' | 'parameters',
  written: string,
  known: readonly string[],
): string {
  if (known.length === 0) return 'Remove it.';
  const start = written.slice(0, MAX_LENGTH).toLowerCase();
  const nearest = closest(start, known);
  const isSimilar = distance(start, nearest) <= SIMILAR * nearest.length;
  return isSimilar ? `Did you mean "${nearest}"?` : `Known ${kind}: ${known.join(', ')}.`;
}
