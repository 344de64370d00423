import { createHash } from 'node:crypto';
import { type PDFDocument, type PDFRef, PDFString } from 'pdf-lib';
import type { SlipFont } from './font.ts';
import { subsetFont } from './font-subset.ts';
import { addStream } from './stream.ts';

/** Embeds the used glyphs of a font as a Type 0 font (PDF 32000-1, 9.7), with two bytes for each glyph and its text. */

const SYMBOLIC = 4;

/** Returns the six letters that name the subset, derived from its content. */
function subsetTag(glyphs: readonly number[]): string {
  const digest = createHash('sha256').update(glyphs.join()).digest();
  return String.fromCharCode(...digest.subarray(0, 6).map((byte) => 65 + (byte % 26)));
}

/** Maps each code to the text that a reader copies: letters with their marks, in NFC. */
function toUnicode(font: SlipFont, glyphs: readonly number[]): string {
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

/** `codes` maps the used glyphs to their codes, which count from 0 in order of use. */
export function embedFont(document: PDFDocument, font: SlipFont, codes: ReadonlyMap<number, number>): PDFRef {
  const { context } = document;
  const { data } = font;
  const glyphs = [...codes.keys()];
  const perMille = (units: number): number => Math.round((units * 1000) / data.unitsPerEm);
  const file = subsetFont(font, glyphs);
  const name = `${subsetTag(glyphs)}+${data.name}`;
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: SYMBOLIC,
    FontBBox: data.bounds.map(perMille),
    ItalicAngle: 0,
    Ascent: perMille(data.ascent),
    Descent: perMille(data.descent),
    CapHeight: perMille(data.capHeight),
    StemV: data.stemWidth,
    FontFile2: addStream(document, file, { Length1: file.length }),
  });
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    FontDescriptor: context.register(descriptor),
    CIDToGIDMap: 'Identity',
    W: [0, glyphs.map((glyph) => perMille(font.advance(glyph)))],
  });
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [context.register(descendant)],
      ToUnicode: addStream(document, Buffer.from(toUnicode(font, glyphs), 'latin1')),
    }),
  );
}
