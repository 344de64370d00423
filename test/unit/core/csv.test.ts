import { describe, expect, test } from '@jest/globals';
import { csvRow } from '../../../shared/core/csv.ts';

const row = (...cells: (string | number)[]) => csvRow(cells).replace(/\r\n$/, '');

describe('a CSV cell that a spreadsheet would run as a formula starts with an apostrophe', () => {
  test.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    ' =cmd|calc',
    '   =cmd',
    '\u00a0=cmd',
    '＝cmd',
    '＋cmd',
    '－cmd',
    '＠cmd',
    ' ＝cmd',
    '\u3000＝cmd',
    '﹢1',
    '﹣1',
    '﹫A1',
    '−1',
  ])('%j', (text) => {
    expect(row(text)).toBe(`'${text}`);
  });

  test.each([
    ['\t=cmd', "'\\u0009=cmd"],
    ['\r=cmd', "'\\u000d=cmd"],
    ['\n=cmd', "'\\u000a=cmd"],
    ['\u200b=cmd', '\\u200b=cmd'],
  ])('%j, with its control characters escaped', (text, expected) => {
    expect(row(text)).toBe(expected);
  });

  test('and so does a formula after a semicolon, because some spreadsheets split lines there', () => {
    expect(row('paid; =cmd|calc')).toBe('"paid; \'=cmd|calc"');
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const signs = all.filter((sign) => /^[=+\-@\u2212]/.test(sign.normalize('NFKC')));
    expect(signs).toHaveLength(22);
    for (const sign of signs) expect(row(`paid;${sign}cmd`)).toBe(`"paid;'${sign}cmd"`);
  });
});

test('digits that a spreadsheet would round start with an apostrophe', () => {
  expect(row('18446744073709551615', '1234567890123456', '123456789012345')).toBe(
    "'18446744073709551615,'1234567890123456,123456789012345",
  );
});

test('text that a spreadsheet would show as a different number starts with an apostrophe, and no other number', () => {
  expect(row('0012345', '1E5', '2e-3', '1.50', '00', '12345', '0', '12.5', '10.0.0.1', '1E5x')).toBe(
    "'0012345,'1E5,'2e-3,'1.50,'00,12345,0,12.5,10.0.0.1,1E5x",
  );
});

test('other text and all numbers are unchanged', () => {
  expect(row('paid = yes', 'a-b', 'Adébáyọ̀', -3, 1_000_000)).toBe('paid = yes,a-b,Adébáyọ̀,-3,1000000');
});

test('a cell with a comma or a quote is quoted', () => {
  expect(row('=1+1, paid', 'twice "booked"', 'x')).toBe('"\'=1+1, paid","twice ""booked""",x');
});

test('a line break in a cell is escaped, so that it cannot forge a row', () => {
  const forged = csvRow(['paid\r\n2026-11-21,TOP_UP,1000000', '\u001b[2J']);
  expect(forged).toBe('"paid\\u000d\\u000a2026-11-21,TOP_UP,1000000",\\u001b[2J\r\n');
});

test.each([
  [0, '0.00'],
  [5, '0.05'],
  [-5, '-0.05'],
  [123_450, '1234.50'],
  [-123_456, '-1234.56'],
  [9_007_199_254_740_991, '90071992547409.91'],
])('%d kobo are written as a number in naira, without rounding', (kobo, text) => {
  expect(csvRow(['x', { kobo }])).toBe(`x,${text}\r\n`);
});
