import type { PdfFont } from './font.ts';

/** Each document embeds them, so an instance prepares them once. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const PUNCTUATION = " _?!-.,:;/()&+#@'\u2019\u2013\u00b7\u20a6";
/** Letters of Yoruba, Igbo and Hausa. */
const NIGERIAN = 'ẸẹỌọṢṣỊịỤụṄṅƁɓƊɗƘƙƳƴ';

const known = new WeakMap<PdfFont, readonly number[]>();

/** The box for missing characters comes first. */
export function usualGlyphs(font: PdfFont): readonly number[] {
  const found = known.get(font);
  if (found) return found;
  const text = `${LETTERS}${PUNCTUATION}${NIGERIAN}`.normalize('NFC');
  const glyphs = [...new Set([0, ...font.glyphs(text)])];
  known.set(font, glyphs);
  return glyphs;
}
