import { describe, expect, test } from '@jest/globals';
import { fields, paragraph, table } from '../../../clients/operator/output.ts';
import { isPrintable } from '../../../shared/core/printable-text.ts';

const HEAD = ['PROVIDER', 'LOOK-UPS', 'SERVES (ORDER)'];
const ROWS = [
  ['Prembly', 1_200, 'NIN (1), BVN (1), CAC (1), TIN (1), NUBAN (1)'],
  ['Dojah', 7, 'NIN (2)'],
];

describe('a table', () => {
  test('aligns its columns, and numbers to the right', () => {
    expect(table(HEAD, ROWS).split('\n')).toEqual([
      'PROVIDER  LOOK-UPS  SERVES (ORDER)',
      'Prembly      1,200  NIN (1), BVN (1), CAC (1), TIN (1), NUBAN (1)',
      'Dojah            7  NIN (2)',
    ]);
  });

  test('wraps the last column at the width of the terminal', () => {
    expect(table(HEAD, ROWS, 50).split('\n')).toEqual([
      'PROVIDER  LOOK-UPS  SERVES (ORDER)',
      'Prembly      1,200  NIN (1), BVN (1), CAC (1),',
      '                    TIN (1), NUBAN (1)',
      'Dojah            7  NIN (2)',
    ]);
  });

  test('that does not fit has one field per line', () => {
    expect(table(HEAD, ROWS, 39).split('\n')).toEqual([
      'PROVIDER        Prembly',
      'LOOK-UPS        1,200',
      'SERVES (ORDER)  NIN (1), BVN (1),',
      '                CAC (1), TIN (1),',
      '                NUBAN (1)',
      '',
      'PROVIDER        Dojah',
      'LOOK-UPS        7',
      'SERVES (ORDER)  NIN (2)',
    ]);
  });

  test('without rows shows a message', () => {
    expect(table(HEAD, [])).toBe('None.');
  });
});

test('fields and paragraphs are wrapped at spaces', () => {
  expect(fields({ id: 7, reason: 'wrong records since this morning' }, 30).split('\n')).toEqual([
    'id      7',
    'reason  wrong records since',
    '        this morning',
  ]);
  expect(paragraph('wrong records since this morning', 22).split('\n')).toEqual([
    'wrong records since',
    'this morning',
  ]);
});

test('a word that is longer than the line is not split', () => {
  expect(paragraph(`see ${'x'.repeat(30)} there`, 22).split('\n')).toEqual(['see', 'x'.repeat(30), 'there']);
});

describe('text that was stored before text was checked', () => {
  const forged = 'x\n2026-11-21  TOP_UP  1,000,000\u001b[31m\u202e';
  const shown = 'x\\u000a2026-11-21  TOP_UP  1,000,000\\u001b[31m\\u202e';

  test('stays in its table cell, even in a table without columns', () => {
    expect(table(['KIND', 'REASON'], [['TOP_UP', forged]]).split('\n')[1]).toBe(`TOP_UP  ${shown}`);
    const narrow = table(['KIND', 'REASON'], [['TOP_UP', forged]], 10);
    expect(isPrintable(narrow.replaceAll('\n', ''))).toBe(true);
    expect(narrow).not.toMatch(/^2026/m);
  });

  test('stays on its line in a list or sentence', () => {
    expect(fields({ name: forged })).toBe(`name  ${shown}`);
    expect(paragraph(`Disabled: ${forged}`)).toBe(`Disabled: ${shown}`);
  });
});
