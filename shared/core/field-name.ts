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
