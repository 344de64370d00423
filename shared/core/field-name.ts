const MAX_LENGTH = 64;
/** Digits that may be an identity number, in any of the ways that people write one. */
const LONG_NUMBER = /[0-9](?:[ -]?[0-9]){9,}/g;

/**
 * Returns a field's name, which is the caller's own text, as an error may show it: cut, with all characters except
 * printable ASCII escaped, and without any number that the caller wrote in the position of a name.
 */
export function shownFieldName(name: string): string {
  return name
    .replace(LONG_NUMBER, '****')
    .slice(0, MAX_LENGTH)
    .replace(/[^ !#-[\]-~]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
