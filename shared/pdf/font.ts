import { inflateSync } from 'node:zlib';
import regularData from './fonts/inter-regular.font.json' with { type: 'json' };
import semiboldData from './fonts/inter-semibold.font.json' with { type: 'json' };
import { clusters } from './text.ts';

/**
 * Prepared by infra/bundle/fonts/build-fonts.py. A letter with all its tone marks is one glyph, so a map from letters
 * to glyphs is enough.
 */

interface FontData {
  readonly name: string;
  readonly unitsPerEm: number;
  readonly bounds: readonly number[];
  readonly ascent: number;
  readonly descent: number;
  readonly capHeight: number;
  readonly stemWidth: number;
  /** Base64. */
  readonly tables: { readonly head: string; readonly hhea: string; readonly maxp: string };
  /** Concatenated, deflated, Base64. */
  readonly glyphs: string;
  readonly lengths: readonly number[];
  readonly advances: readonly number[];
  /** In NFC. Empty for glyphs that are only components. */
  readonly texts: readonly string[];
  /** Of pairs of plain letters, in font units. */
  readonly kerning: Readonly<Record<string, number>>;
}

const REPLACEMENT = '\uFFFD';

export class PdfFont {
  readonly data: FontData;
  readonly #index = new Map<string, number>();
  readonly #outlines: Uint8Array;
  readonly #offsets: number[] = [0];
  readonly #replacement: number;
  /** In the kerning table. Other letters use 0. */
  readonly #letters: ReadonlyMap<string, number>;
  readonly #kerning: Int16Array;
  /** Of its letter without marks. -1 until first used. */
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

  /**
   * Of cleaned text. Compatibility forms such as the ligature "ﬁ" become their usual letters. Other characters that the
   * font lacks become a box, copied as U+FFFD.
   */
  glyphs(text: string): readonly number[] {
    return clusters(text).flatMap(
      (cluster) => this.#known(cluster) ?? this.#known(cluster.normalize('NFKC')) ?? this.#fallback(cluster),
    );
  }

  /** Without boxes: a letter that the font lacks loses the marks that it lacks, or becomes a question mark. */
  legible(text: string): string {
    const shown = (cluster: string) => {
      const plain = cluster.normalize('NFKD').replaceAll(/\p{M}/gu, '');
      return [cluster, cluster.normalize('NFKC'), plain].find((form) => form && this.#known(form)) ?? '?';
    };
    return clusters(text).map(shown).join('');
  }

  /** In font units. Negative means closer. */
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

  /** In points. `trackingPt` follows every glyph except the last. */
  width(text: string, sizePt: number, trackingPt = 0): number {
    const glyphs = this.glyphs(text);
    let units = 0;
    for (const [at, glyph] of glyphs.entries()) {
      units += this.advance(glyph) + this.kern(glyphs[at - 1] ?? -1, glyph);
    }
    return (units * sizePt) / this.data.unitsPerEm + trackingPt * Math.max(glyphs.length - 1, 0);
  }

  /** Undefined unless the font has all clusters of the text. */
  #known(text: string): number[] | undefined {
    const glyphs = clusters(text).map((cluster) => this.#index.get(cluster));
    return glyphs.every((glyph) => glyph !== undefined) ? glyphs : undefined;
  }

  /** With as many marks as the font supports, then a box for the rest. */
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
