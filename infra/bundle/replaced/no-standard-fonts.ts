/**
 * Replaces `@pdf-lib/standard-fonts` in the slip bundle: the metrics of the 14 built-in PDF fonts, which no slip uses.
 * Saves 127 KB (98 KB compressed).
 */
export const Font = {};
export const FontNames = {};
export const Encodings = {};
