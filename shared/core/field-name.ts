import { closest, distance } from 'fastest-levenshtein';
import { escaped, LONG_NUMBER } from './printable-text.ts';

const MAX_LENGTH = 64;

/**
 * Returns a field's name, which is the caller's own text, as an error may show it: cut, with all characters except
 * printable ASCII escaped, and without any number that the caller wrote in the position of a name.
 */
export function shownFieldName(name: string): string {
  return name
    .replace(LONG_NUMBER, '****')
    .slice(0, MAX_LENGTH)
    .replace(/[^ !#-[\]-~]/g, escaped);
}

/** The largest share of a known name's characters that may differ from the written one in a suggestion. */
const SIMILAR = 0.5;

/** Says which field or query parameter the caller may have meant, or which ones exist, as a sentence. */
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
