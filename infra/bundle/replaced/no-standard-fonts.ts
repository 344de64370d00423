/**
 * Replaces `@pdf-lib/standard-fonts` in the bundles that create slips: the metrics of the 14 built-in PDF fonts, which
 * no slip uses.
 */
export const Font = {};
export const FontNames = {};
export const Encodings = {};
