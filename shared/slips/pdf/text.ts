/** Text of unknown origin, made safe for one line of a slip. */

/** Longer values are no names or addresses; a slip shows their beginning. */
const LONGEST_TEXT = 600;
const LINE_BREAKS_AND_SPACES = /[\s\u0085\u2028\u2029]+/gu;
/** Controls, and invisible format characters: direction overrides, joiners, tags, lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;

/** NFC, without control characters, direction overrides and line breaks (they would let a value forge a field). */
export function cleanText(raw: string): string {
  return raw
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replace(LINE_BREAKS_AND_SPACES, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .trim();
}

/** Splits into base letters with their marks: what takes one glyph each. */
export function clusters(text: string): readonly string[] {
  return text.match(CLUSTER) ?? [];
}
