import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type FitRule, fitText } from '../../../shared/pdf/fit.ts';
import { REGULAR } from '../../../shared/pdf/font.ts';
import { cleanText } from '../../../shared/pdf/text.ts';

const NAME: FitRule = { font: REGULAR, widthPt: 90, sizePt: 10, oneLineMinPt: 7, minSizePt: 6, maxLines: 2 };

describe('text that is fitted into a field:', () => {
  test('short text keeps its size', () => {
    expect(fitText('Adébáyọ̀', NAME)).toEqual({ lines: ['Adébáyọ̀'], sizePt: 10 });
  });

  test('longer text shrinks first', () => {
    const { lines, sizePt } = fitText('Adébáyọ̀ Ògúnṣọlá-Òjó', NAME);
    expect(lines).toHaveLength(1);
    expect(sizePt).toBeLessThan(10);
    expect(sizePt).toBeGreaterThanOrEqual(7);
  });

  test('text that is still too long wraps between words', () => {
    const { lines, sizePt } = fitText('Adébáyọ̀ Ògúnṣọlá Ọláńrewájú', NAME);
    expect(lines).toEqual(['Adébáyọ̀ Ògúnṣọlá', 'Ọláńrewájú']);
    expect(sizePt).toBe(7);
  });

  test('text that needs too many lines ends in an ellipsis', () => {
    const { lines, sizePt } = fitText('Ọláńrewájú '.repeat(20).trim(), NAME);
    expect(lines).toHaveLength(2);
    expect(lines.at(-1)).toMatch(/…$/);
    expect(sizePt).toBe(6);
  });

  test('no line exceeds its width, and nothing before the ellipsis is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (raw) => {
        const text = cleanText(raw);
        const { lines, sizePt } = fitText(text, NAME);
        expect(lines.length).toBeLessThanOrEqual(2);
        for (const line of lines) expect(REGULAR.width(line, sizePt)).toBeLessThanOrEqual(90 + 1e-6);
        const shown = lines.join('').replaceAll(' ', '');
        const whole = text.replaceAll(' ', '');
        expect(shown === whole || (shown.endsWith('…') && whole.startsWith(shown.slice(0, -1)))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
