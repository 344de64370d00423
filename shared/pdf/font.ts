import { inflateSync } from 'node:zlib';
import regularData from './fonts/inter-regular.font.json' with { type: 'json' };
import semiboldData from './fonts/inter-semibold.font.json' with { type: 'json' };
import { clusters } from './text.ts';

/**
 * Fonts prepared by infra/bundle/fonts/build-fonts.py, so that no font library is needed at run time. A letter with all
 * its tone marks is one glyph, so a map from letters to glyphs is enough to convert text.
 */

interface FontData {
  readonly name: string;
  readonly unitsPerEm: number;
  readonly bounds: readonly number[];
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly stemWidth: number;
  /** The TrueType tables on which a subset is based, in Base64. */
  readonly tables: { readonly head: string; readonly hhea: string; readonly maxp: string };
  /** All outlines, concatenated, deflated and encoded in Base64. */
  readonly glyphs: string;
  readonly lengths: readonly number[];
  readonly advances: readonly number[];
  /** The text of each glyph in NFC. Empty for glyphs that are only components of others. */
  readonly texts: readonly string[];
  /** How far the second letter of a pair of plain letters moves, in font units. */
  readonly kerning: Readonly<Record<string, number>>;
}

const REPLACEMENT = '\uFFFD';

export class PdfFont {
  readonly data: FontData;
  readonly #index = new Map<string, number>();
  readonly #outlines: Uint8Array;
  readonly #offsets: number[] = [0];
  readonly #replacement: number;
  /** The row and column of each plain letter in the kerning table. Other letters use 0. */
  readonly #letters: ReadonlyMap<string, number>;
  readonly #kerning: Int16Array;
  /** The kerning row of each glyph, which is the row of its letter without marks. -1 until the glyph is first used. */
  readonly #rows: Int16Array;

  constructor(data: FontData) {
    this.data = data;
    this.#outlines = inflateSync(Buffer.from(data.glyphs, 'base64'));
    for (const [glyph, text] of data.texts.entries()) if (text !== '') this.#index.set(text, glyph);
    for (const length of data.lengths) this.#offsets.push((this.#offsets.at(-1) ?? 0) + length);
    this.#replacement = this.#index.get(REPLACEMENT) ?? 0;
    const letters = new Set(Object.keys(data.kerning).flatMap((pair) => [...pair]));
    this.#letters = new Map([...letters].map((letter, at) => [letter, at + 1]));
    this.#kerning = new Int16Array((letters.size + 1) ** 2);
    for (const [pair, step] of Object.entries(data.kerning)) {
      const [left = 0, right = 0] = [...pair].map((letter) => this.#letters.get(letter));
      this.#kerning[left * (letters.size + 1) + right] = step;
    }
    this.#rows = new Int16Array(data.texts.length).fill(-1);
  }

  /** Returns the glyphs of cleaned text. Characters that the font lacks become a box, which is copied as U+FFFD. */
  glyphs(text: string): readonly number[] {
    const glyphs: number[] = [];
    for (const cluster of clusters(text)) {
      const glyph = this.#index.get(cluster);
      if (glyph === undefined) glyphs.push(...this.#fallback(cluster));
      else glyphs.push(glyph);
    }
    return glyphs;
  }

  /** Returns how far the glyph `right` moves when it follows `left`, in font units. Negative means closer. */
  kern(left: number, right: number): number {
    if (left < 0) return 0;
    return this.#kerning[this.#row(left) * (this.#letters.size + 1) + this.#row(right)] ?? 0;
  }

  advance(glyph: number): number {
    return this.data.advances[glyph] ?? 0;
  }

  outline(glyph: number): Uint8Array {
    return this.#outlines.subarray(this.#offsets[glyph], this.#offsets[glyph + 1]);
  }

  /** Returns the width of a line in points. `trackingPt` is added after every glyph except the last. */
  width(text: string, sizePt: number, trackingPt = 0): number {
    const glyphs = this.glyphs(text);
    let units = 0;
    for (const [at, glyph] of glyphs.entries()) {
      units += this.advance(glyph) + this.kern(glyphs[at - 1] ?? -1, glyph);
    }
    return (units * sizePt) / this.data.unitsPerEm + trackingPt * Math.max(glyphs.length - 1, 0);
  }

  /** Returns the glyph of the letter with as many of its marks as the font supports, then a box for the rest. */
  #fallback(cluster: string): number[] {
    const points = [...cluster.slice(0, 16)];
    for (let kept = points.length - 1; kept > 0; kept -= 1) {
      const glyph = this.#index.get(points.slice(0, kept).join(''));
      if (glyph !== undefined) return [glyph, this.#replacement];
    }
    return [this.#replacement];
  }

  #row(glyph: number): number {
    const known = this.#rows[glyph] ?? 0;
    if (known >= 0) return known;
    const letter = this.data.texts[glyph]?.normalize('NFD').charAt(0) ?? '';
    const row = this.#letters.get(letter) ?? 0;
    this.#rows[glyph] = row;
    return row;
  }
}

export const REGULAR = new PdfFont(regularData);
export const SEMIBOLD = new PdfFont(semiboldData);
