import { createHash } from 'node:crypto';
import { PDFArray, type PDFDocument, PDFNumber, type PDFRef, PDFString } from 'pdf-lib';
import type { PdfFont } from './font.ts';
import { subsetFont } from './font-subset.ts';
import { addDeflated, deflate } from './stream.ts';
import { usualGlyphs } from './usual-glyphs.ts';

/** A Type 0 font (ISO 32000-1, 9.7). Each glyph has a code of two bytes, which is mapped to its text. */

const SYMBOLIC = 4;

/** Six letters, derived from the glyphs. */
function subsetTag(glyphs: readonly number[]): string {
  const digest = createHash('sha256').update(glyphs.join()).digest();
  return String.fromCharCode(...digest.subarray(0, 6).map((byte) => 65 + (byte % 26)));
}

/** What PDF readers copy: a letter with its marks, in NFC. */
function toUnicode(font: PdfFont, glyphs: readonly number[]): string {
  const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const rows = glyphs
    .map((glyph, code) => [code, font.data.texts[glyph] ?? ''] as const)
    .filter(([, text]) => text !== '')
    .map(([code, text]) => `<${code.toString(16).padStart(4, '0')}> <${hex(text)}>`);
  const blocks: string[] = [];
  for (let at = 0; at < rows.length; at += 100) {
    const block = rows.slice(at, at + 100);
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}

interface Subset {
  readonly name: string;
  /** The TrueType file, compressed. */
  readonly file: Uint8Array;
  readonly fileLength: number;
  /** The text of each code, compressed. */
  readonly toUnicode: Uint8Array;
  /** In thousandths of the font size. */
  readonly widths: readonly PDFNumber[];
}

function subset(font: PdfFont, glyphs: readonly number[]): Subset {
  const file = subsetFont(font, glyphs);
  return {
    name: `${subsetTag(glyphs)}+${font.data.name}`,
    file: deflate(file),
    fileLength: file.length,
    toUnicode: deflate(Buffer.from(toUnicode(font, glyphs), 'latin1')),
    widths: glyphs.map((glyph) => PDFNumber.of(perMille(font, font.advance(glyph)))),
  };
}

const usual = new WeakMap<PdfFont, Subset>();

/** Enough for most documents, and created once per instance. */
function usualSubset(font: PdfFont): Subset {
  const made = usual.get(font) ?? subset(font, usualGlyphs(font));
  usual.set(font, made);
  return made;
}

function perMille({ data }: PdfFont, units: number): number {
  return Math.round((units * 1000) / data.unitsPerEm);
}

/** `codes` maps glyphs to codes: the usual ones, then others in order of use. */
export function embedFont(document: PDFDocument, font: PdfFont, codes: ReadonlyMap<number, number>): PDFRef {
  const { context } = document;
  const { data } = font;
  const isUsual = codes.size === usualGlyphs(font).length;
  const { name, file, fileLength, toUnicode, widths } = isUsual
    ? usualSubset(font)
    : subset(font, [...codes.keys()]);
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: SYMBOLIC,
    FontBBox: data.bounds.map((units) => perMille(font, units)),
    ItalicAngle: 0,
    Ascent: perMille(font, data.ascent),
    Descent: perMille(font, data.descent),
    CapHeight: perMille(font, data.capHeight),
    StemV: data.stemWidth,
    FontFile2: addDeflated(document, file, { Length1: fileLength }),
  });
  const widthsArray = PDFArray.withContext(context);
  for (const width of widths) widthsArray.push(width);
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    FontDescriptor: context.register(descriptor),
    CIDToGIDMap: 'Identity',
    W: [0, widthsArray],
  });
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [context.register(descendant)],
      ToUnicode: addDeflated(document, toUnicode),
    }),
  );
}
