import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ulid } from 'ulid';
import {
  hasLongNumber,
  isPrintable,
  maskLongNumbers,
  printable,
  printableJson,
  textProblem,
} from '../../../shared/core/printable-text.ts';

const UNPRINTABLE = [
  ['a line break', '\n', '\\u000a'],
  ['a carriage return', '\r', '\\u000d'],
  ['a tab', '\t', '\\u0009'],
  ['NUL', '\u0000', '\\u0000'],
  ['ESC', '\u001b', '\\u001b'],
  ['DEL', '\u007f', '\\u007f'],
  ['the one-character form of ESC [', '\u009b', '\\u009b'],
  ['a bidirectional override', '\u202e', '\\u202e'],
  ['a bidirectional isolate', '\u2066', '\\u2066'],
  ['a zero-width space', '\u200b', '\\u200b'],
  ['a soft hyphen', '\u00ad', '\\u00ad'],
  ['a line separator', '\u2028', '\\u2028'],
  ['a lone surrogate', '\ud800', '\\ud800'],
  ['a private character', '\ue000', '\\ue000'],
  ['an invisible tag', '\u{e0041}', '\\udb40\\udc41'],
  ['an invisible letter', '\u3164', '\\u3164'],
  ['an empty Braille pattern', '\u2800', '\\u2800'],
] as const;

describe('text that people write:', () => {
  test.each(UNPRINTABLE)('%s is not printable and is escaped when printed', (_, character, shown) => {
    const text = `before${character}after`;
    expect(isPrintable(text)).toBe(false);
    expect(printable(text)).toBe(`before${shown}after`);
    expect(textProblem('A reason', text, 200)).toMatch(/^A reason must have 1 to 200 characters\./);
  });

  test.each(['Adébáyọ̀ Ọláìyá', 'ɓanƙi – N1,000 (½)', 'résumé 日本語 😀', '❤\ufe0f 1\ufe0f\u20e3', '\u00a0'])(
    '%s is printable',
    (text) => {
      expect(isPrintable(text)).toBe(true);
      expect(printable(text)).toBe(text);
    },
  );

  test.each(['\ufe0f\ufe0f', 'a \ufe0f', '\u034f', '\u3164\u3164\u3164', '\u2800\u2800'])(
    'a text without a visible character is not printable: %j',
    (text) => {
      expect(isPrintable(text)).toBe(false);
    },
  );

  test('as JSON, all of it is printable, and a parser reads the original', () => {
    const value = { text: UNPRINTABLE.map(([, character]) => `x${character}`).join('"\\'), n: 1 };
    const json = printableJson(value);
    expect(isPrintable(json)).toBe(true);
    expect(JSON.parse(json)).toEqual(value);
  });

  test('it must not be blank or too long', () => {
    expect(textProblem('A reason', 'x'.repeat(200), 200)).toBeUndefined();
    for (const text of ['', '  ', '\u00a0', 'x'.repeat(201)])
      expect(textProblem('A reason', text, 200)).toBeDefined();
  });
});

describe('a number of 10 or more digits', () => {
  test.each([
    '1234567890',
    'NIN:12345678901.',
    'x1234567890123456789y',
    '1234 567 8901',
    '1234-567-8901',
    '1234–567–8901',
    '1234\u00a0567\u00a08901',
    '1 2 3 4 5 6 7 8 9 0',
    '١٢٣٤٥٦٧٨٩٠١',
    '۱۲۳۴۵۶۷۸۹۰۱',
    '１２３４５６７８９０１',
    '𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗𝟎𝟏',
    '¹²³⁴⁵⁶⁷⁸⁹⁰¹',
    '①②③④⑤⑥⑦⑧⑨⓪①',
    '1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣7️⃣8️⃣9️⃣0️⃣',
    '12345６７８９０',
    '20261122-0001',
    '20261122/0001',
    '123.456.789.01',
    '123/456/789/01',
    '123．456．789．01',
    '1764412345678',
    '11764412345678-',
    '2348012345678-a',
    '2026-11-29T10:15:00Z 70123456789',
    '12345678-1234-1234-1234-1234567890123',
    '12345678901234567890123456',
    '2026-11-22 70123456789',
    '2026-13-22 10:30',
    '62026-11-22 10:30',
    '2_2_3_4_5_6_7_8_9_0_1',
    '22345,678901',
    '22345  678901',
    '22345--678901',
    '(0803) 123 4567',
    '2·2·3·4·5·6·7·8·9·0·1',
    '(2)(2)(3)(4)(5)(6)(7)(8)(9)(0)(1)',
    '❷❷❸❹❺❻❼❽❾⓿❶',
    '➁➁➂➃➄➅➆➇➈🄋➀',
    '⓶⓶⓷⓸⓹⓺⓻⓼⓽⓿⓵',
    '፪፪፫፬፭፮፯፰፱፱፩',
    '1234&#160;5678901',
  ])('is found and masked in %s', (text) => {
    expect(hasLongNumber(text)).toBe(true);
    const masked = maskLongNumbers(text);
    expect(hasLongNumber(masked)).toBe(false);
    expect([...masked].length).toBe([...text].length);
  });

  test.each([
    ['22345\\u00a0678901', '*****\\u00a0******'],
    ['22345\\n678\\\\r\\\\n901', '*****\\n***\\\\r\\\\n***'],
    ['22345&nbsp;678&#xA0;901 &amp;', '*****&nbsp;***&#xA0;*** &amp;'],
    ['22345&amp;nbsp;678901', '*****&amp;nbsp;******'],
    ['\\uff12\\uFF12345678901', '**********'],
    ['\\ud835\\udfcf2345678901', '***********'],
    ['&#65298;&#xff12;345678901', '***********'],
    ['\\u12345678901', '\\u***********'],
    ['&#9999999;2345678901', '&#9999999;**********'],
  ])('with escapes is found and masked in %s', (text, shown) => {
    expect(hasLongNumber(text)).toBe(true);
    expect(maskLongNumbers(text)).toBe(shown);
  });

  test.each([
    '',
    'form 7',
    '123456789',
    'consent-2026-0042',
    '123456789 a 123456789',
    '12345   67890',
    '12345 - 67890',
    'consent_2026_11_29_0042',
    '2026-11-22-0001',
    '2026-11-22T10:30:00Z',
    '2026-11-22 10:30',
    '22-11-2026 10:30',
    '2026-11-22 2026-11-23',
    '٠١٢٣٤٥٦٧٨',
    '12345678-1234-4234-8234-123456789012',
    'consent 01KB7ZJ3C0123456789012345X',
    '29/11/2026 10:15:30.123456789+01:00',
    '2026.11.29',
    'c1764412345678',
    '1764412345678-a',
    '10,000 of 20,000',
  ])('is not found in %j', (text) => {
    expect(hasLongNumber(text)).toBe(false);
    expect(maskLongNumbers(text)).toBe(text);
  });

  test('is masked without its neighbours', () => {
    const text = 'Ọ̀nà 7 on 2026-11-22: {"nin":"12345 678901","phone":"08031234567️⃣x"}';
    expect(maskLongNumbers(text)).toBe('Ọ̀nà 7 on 2026-11-22: {"nin":"***** ******","phone":"***********️⃣x"}');
  });

  test('is not found in 200,000 random UUIDs and ULIDs', () => {
    const ids = Array.from({ length: 100_000 }, () => [randomUUID(), ulid()]).flat();
    expect(ids.filter(hasLongNumber)).toEqual([]);
  });
});
