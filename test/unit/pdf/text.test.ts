import { describe, expect, test } from '@jest/globals';
import { cleanText, clusters } from '../../../shared/pdf/text.ts';

describe('text for slips:', () => {
  test.each([
    ['NUL and other controls', 'Ade\u0000ba\u0007yo\u009f', 'Adebayo'],
    ['a line break, which could forge a field', 'Ade\r\nNIN: 1', 'Ade NIN: 1'],
    ['Unicode line and paragraph separators', 'a\u2028b\u2029c\u0085d', 'a b c d'],
    ['direction overrides and isolates', '\u202EoyA\u202C \u2066x\u2069\u200F', 'oyA x'],
    ['joiners, soft hyphens and byte order marks', 'A\u200Dd\u00ADe\uFEFF', 'Ade'],
    ['language tags', 'A\u{E0041}\u{E0067}', 'A'],
    ['lone surrogates', 'A\uD800', 'A\uFFFD'],
    ['space at the ends and in rows', '  a \t  b  ', 'a b'],
    ['decomposed letters', 'E\u0323\u0300ko\u0323', 'Ẹ̀kọ'.normalize('NFC')],
  ])('cleaning removes or rewrites %s', (_, raw, clean) => {
    expect(cleanText(raw)).toBe(clean);
  });

  test('a very long text is truncated first', () => {
    expect(cleanText('a'.repeat(5_000_000)).length).toBe(600);
  });

  test('a letter with its marks is one cluster', () => {
    expect(clusters('Ẹ̀kọ́'.normalize('NFC'))).toEqual(['Ẹ̀', 'k', 'ọ́'].map((c) => c.normalize('NFC')));
  });
});
