import { describe, expect, test } from '@jest/globals';
import { create } from 'fontkit';
import { linesOf } from '../../../shared/payments/documents/pdf/page-flow.ts';
import { REGULAR, SEMIBOLD } from '../../../shared/pdf/font.ts';
import { subsetFont } from '../../../shared/pdf/font-subset.ts';

const FONTS = [
  ['regular', REGULAR],
  ['semibold', SEMIBOLD],
] as const;
const YORUBA = 'aábdeéèẹẹ́ẹ̀fgghiíìjklmḿm̀nńǹoóòọọ́ọ̀prsṣtuúùwy';
const IGBO = 'abchdegbfgghgwhiịjkkpkwlmnṅnwnyoọprsshtuụvwyzịìịíọ́ụ̀ụ̄ọ̄m̄n̄';
const HAUSA = 'abɓcdɗefghijkƙlmnorrr̃sshttsuwyƴzʼāēīōū';
const OTHERS = 'ŋƁƊƘƳƏǝɛɔƆƐçéñüß‘’“”–—…·₦€£№';
const UNDERLINED = 'e̩ o̩ s̩ E̩ O̩ S̩ é̩ ò̩';

describe.each(FONTS)('the %s font:', (_, font) => {
  const box = font.glyphs('\u{1F600}')[0];

  test.each([
    ['Yoruba', YORUBA],
    ['Igbo', IGBO],
    ['Hausa', HAUSA],
    ['other letters and symbols', OTHERS],
    ['Yoruba written with underlines', UNDERLINED],
  ])('it has the glyphs for %s', (_language, letters) => {
    for (const text of [letters, letters.toUpperCase()].map((each) => each.normalize('NFC'))) {
      expect(font.glyphs(text)).not.toContain(box);
      expect(
        font
          .glyphs(text)
          .map((glyph) => font.data.texts[glyph])
          .join(''),
      ).toBe(text);
    }
  });

  test('each letter that the font lacks becomes one box', () => {
    expect(font.data.texts[box ?? -1]).toBe('\uFFFD');
    expect(font.glyphs('مريم')).toEqual([box, box, box, box]);
    expect(font.glyphs(`o${'\u0336'.repeat(200)}`)).toEqual([font.glyphs('o')[0], box]);
  });

  test('compatibility forms become their usual letters, and other letters are legible without boxes', () => {
    expect(font.glyphs('\ufb01ne \uff21')).toEqual(font.glyphs('fine A'));
    expect(font.legible('O\ufb03ce Ọ̀ṣun مريم \u{1F600} o\u0336')).toBe('Office Ọ̀ṣun ???? ? o');
    expect(font.glyphs(font.legible('مريم o\u0336 \u2163'))).not.toContain(box);
  });

  test('an invoice has the letters that it shows, so that they can be copied', () => {
    expect(linesOf('O\ufb03ce of مريم', 100, { sizePt: 9, font })).toEqual(['Office of ????']);
  });

  test('all digits have the same width, so that numbers align', () => {
    expect(new Set([...'0123456789'].map((digit) => font.width(digit, 1000))).size).toBe(1);
  });

  test('pairs of letters are kerned', () => {
    expect(font.width('AV', 1000)).toBeLessThan(font.width('A', 1000) + font.width('V', 1000));
    expect(font.width('ÀV', 1000)).toBe(font.width('AV', 1000));
  });

  test('a subset is a complete TrueType file with only the given glyphs and their components', () => {
    const used = [0, ...font.glyphs('Ọ̀yọ́ ẹ́ Ṣ₦'.normalize('NFC'))];
    const file = Buffer.from(subsetFont(font, used));
    const parsed = create(file);
    const original = used.map((glyph) => font.advance(glyph));
    expect(used.map((_glyph, code) => parsed.getGlyph(code).advanceWidth)).toEqual(original);
    expect(parsed.numGlyphs).toBeLessThan(used.length + 12);
    expect(file.length).toBeLessThan(8_000);
  });

  test('tone marks are centred above their letter, and dots below', () => {
    const used = [0, ...font.glyphs('oọ́'.normalize('NFC'))];
    const parsed = create(Buffer.from(subsetFont(font, used)));
    const [plain, marked] = [parsed.getGlyph(1).bbox, parsed.getGlyph(2).bbox];
    expect(marked.maxY - plain.maxY).toBeGreaterThan(300);
    expect(plain.minY - marked.minY).toBeGreaterThan(200);
    expect(marked.maxY).toBeLessThan(font.data.ascent + 200);
    expect([marked.minX, marked.maxX]).toEqual([plain.minX, plain.maxX]);
  });
});
