import type { PdfFont } from './font.ts';

/**
 * Glyphs are renumbered from 0. OpenType specification ("The Font File", "glyf", "loca", "hmtx"). The prepared fonts
 * have no hints, and each component takes 8 bytes and is not scaled, so only glyph numbers are rewritten.
 */

const COMPONENTS_START = 10;
const COMPONENT_LENGTH = 8;
const MORE_COMPONENTS = 0x20;

/** Simple glyphs have none. */
function eachComponent(outline: DataView, change: (glyph: number) => number): void {
  if (outline.byteLength === 0 || outline.getInt16(0) >= 0) return;
  for (let at = COMPONENTS_START; ; at += COMPONENT_LENGTH) {
    outline.setUint16(at + 2, change(outline.getUint16(at + 2)));
    if ((outline.getUint16(at) & MORE_COMPONENTS) === 0) return;
  }
}

/** `used`, followed by all components that they need. */
function collect(font: PdfFont, used: readonly number[]): { glyphs: number[]; outlines: Uint8Array[] } {
  const numbers = new Map(used.map((glyph, number) => [glyph, number]));
  const glyphs = [...used];
  const outlines: Uint8Array[] = [];
  const renumber = (glyph: number): number => {
    const known = numbers.get(glyph);
    if (known !== undefined) return known;
    numbers.set(glyph, glyphs.length);
    return glyphs.push(glyph) - 1;
  };
  for (let at = 0; at < glyphs.length; at += 1) {
    const outline = Uint8Array.from(font.outline(glyphs[at] ?? 0));
    eachComponent(new DataView(outline.buffer), renumber);
    outlines.push(outline);
  }
  return { glyphs, outlines };
}

function metrics(font: PdfFont, glyphs: readonly number[], outlines: readonly Uint8Array[]): Buffer {
  const table = Buffer.alloc(glyphs.length * 4);
  for (const [at, glyph] of glyphs.entries()) {
    const outline = outlines[at];
    table.writeUInt16BE(font.advance(glyph), at * 4);
    // The left side bearing is the smallest x, in the outline's header.
    if (outline !== undefined && outline.length > 0) table.set(outline.subarray(2, 4), at * 4 + 2);
  }
  return table;
}

function locations(outlines: readonly Uint8Array[]): Buffer {
  const table = Buffer.alloc((outlines.length + 1) * 4);
  let offset = 0;
  for (const [at, outline] of outlines.entries()) {
    offset += outline.length;
    table.writeUInt32BE(offset, (at + 1) * 4);
  }
  return table;
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes], Math.ceil(bytes.length / 4) * 4);
}

/** With checksums. `tables` must be sorted by name. */
function fontFile(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const directory = Buffer.alloc(12 + tables.length * 16);
  const power = Math.floor(Math.log2(tables.length));
  directory.writeUInt32BE(0x00010000, 0);
  directory.writeUInt16BE(tables.length, 4);
  directory.writeUInt16BE(2 ** power * 16, 6);
  directory.writeUInt16BE(power, 8);
  directory.writeUInt16BE(tables.length * 16 - 2 ** power * 16, 10);
  let offset = directory.length;
  const bodies = tables.map(([, bytes]) => padded(bytes));
  for (const [at, [tag, bytes]] of tables.entries()) {
    const body = bodies[at] ?? bytes;
    directory.write(tag, 12 + at * 16, 'latin1');
    directory.writeUInt32BE(checksum(body), 16 + at * 16);
    directory.writeUInt32BE(offset, 20 + at * 16);
    directory.writeUInt32BE(bytes.length, 24 + at * 16);
    offset += body.length;
  }
  return Buffer.concat([directory, ...bodies]);
}

/** Glyph i is `used[i]`. */
export function subsetFont(font: PdfFont, used: readonly number[]): Uint8Array {
  const { glyphs, outlines } = collect(font, used);
  const { tables } = font.data;
  const head = Buffer.from(tables.head, 'base64');
  const hhea = Buffer.from(tables.hhea, 'base64');
  const maxp = Buffer.from(tables.maxp, 'base64');
  head.writeUInt32BE(0, 8);
  head.writeInt16BE(1, 50); // loca has 32-bit offsets
  hhea.writeUInt16BE(glyphs.length, 34);
  maxp.writeUInt16BE(glyphs.length, 4);
  const file = fontFile([
    ['glyf', Buffer.concat(outlines)],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', metrics(font, glyphs, outlines)],
    ['loca', locations(outlines)],
    ['maxp', maxp],
  ]);
  const headAt = file.readUInt32BE(12 + 16 + 8);
  file.writeUInt32BE((0xb1b0afba - checksum(file)) >>> 0, headAt + 8);
  return file;
}
