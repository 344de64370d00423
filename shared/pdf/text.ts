/** Cleans untrusted text before it is drawn in a PDF. */

/** Longer than any real name or address. A slip shows only the start of longer values. */
const LONGEST_TEXT = 600;
const LINE_BREAKS_AND_SPACES = /[\s\u0085\u2028\u2029]+/gu;
/**
 * Characters without a visible form: control and format characters (such as direction overrides, joiners and tags),
 * lone surrogates, and code points that are for private use or unassigned.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;
const CLUSTER = /\P{M}\p{M}*|\p{M}+/gu;

/**
 * Returns the text in NFC without control characters, direction overrides or line breaks, which could forge a field.
 */
export function cleanText(raw: string): string {
  return raw
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replace(LINE_BREAKS_AND_SPACES, ' ')
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .trim();
}

/** Splits text into letters with their marks, each of which takes one glyph if the font has it. */
export function clusters(text: string): readonly string[] {
  return text.match(CLUSTER) ?? [];
}
