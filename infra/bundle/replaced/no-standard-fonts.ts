/**
 * Stands in for `@pdf-lib/standard-fonts` in the slip's bundle (esbuild alias): 127 KB, 98 KB of them packed, of
 * metrics for the 14 built-in PDF fonts, which no slip uses.
 */
export const Font = {};
export const FontNames = {};
export const Encodings = {};
