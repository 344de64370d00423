/** Untrusted text. */

/** A slip shows only the start of longer values. */
const LONGEST_TEXT = 600;
const LINE_BREAKS_AND_SPACES = /[\s\u0085\u2028\u2029]+/gu;
/** Control and format characters, lone surrogates, and private or unassigned code points. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;

/** In NFC, without what could forge a field: control characters, direction overrides, line breaks. */
export function cleanText(raw: string): string {
  return raw
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replace(LINE_BREAKS_AND_SPACES, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .trim();
}

/** Each takes one glyph if the font has it. */
export function clusters(text: string): readonly string[] {
  return text.match(CLUSTER) ?? [];
}
