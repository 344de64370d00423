import { describe, expect, test } from '@jest/globals';
import { ID_TYPES, type IdType } from '../../../shared/core/id-types.ts';
import {
  canonicalNumber,
  companyNumber,
  containsNumber,
  numberFormat,
  tinFormat,
} from '../../../shared/core/numbers.ts';

describe('the canonical form of a number (contract D6):', () => {
  test.each<[IdType, string, string | undefined]>([
    ['NIN', '12345678901', '12345678901'],
    ['NIN', '  12345678901 ', '12345678901'],
    ['NIN', '1234 5678 901', '12345678901'],
    ['NIN', '123-4567-8901', '12345678901'],
    ['NIN', '1234567890', undefined],
    ['NIN', '1234  5678901', undefined],
    ['NIN', '1234 -5678901', undefined],
    ['NIN', '-12345678901', undefined],
    // Copied with the white space around it, or from the first cell of a file.
    ['NIN', '12345678901\n', '12345678901'],
    ['NIN', '\t12345678901\r\n', '12345678901'],
    ['NIN', '\u00a012345678901\u202f', '12345678901'],
    ['NIN', '\ufeff12345678901', '12345678901'],
    ['BVN', '222 3456 7890\t', '22234567890'],
    ['NUBAN', '0123456789\u00a0', '0123456789'],
    ['NIN', '\u300012345678901', undefined],
    ['NIN', '12345678901\u200b', undefined],
    ['NIN', '12345\n678901', undefined],
    ['NIN', '１２３４５６７８９０１', undefined],
    ['NIN', '1234\u00a05678901', undefined],
    ['BVN', '222 3456 7890', '22234567890'],
    ['BVN', '222 3456 789', undefined],
    ['BVN', '22-345-678-901', '22345678901'],
    ['NUBAN', '0123456789', '0123456789'],
    ['NUBAN', '012 345 6789', '0123456789'],
    ['NUBAN', '012345678', undefined],
    ['CAC', 'RC1', 'RC1'],
    ['CAC', ' rc123456 ', 'RC123456'],
    ['CAC', 'Bn7000', 'BN7000'],
    ['CAC', 'it12', 'IT12'],
    ['CAC', 'LP12', 'LP12'],
    ['CAC', 'llp00012', 'LLP00012'],
    ['CAC', 'RC12345678', 'RC12345678'],
    ['CAC', 'RC123456789', undefined],
    ['CAC', 'RC 1234567\n', 'RC1234567'],
    ['CAC', 'rc-1234567', 'RC1234567'],
    ['CAC', 'LLP 12', 'LLP12'],
    ['CAC', 'RC  123456', undefined],
    ['CAC', 'RC - 123456', undefined],
    ['CAC', 'R C123456', undefined],
    ['CAC', 'RC123 456', undefined],
    ['CAC', '123456', undefined],
    ['CAC', 'XX123456', undefined],
    ['TIN', '12345678-0001', '12345678-0001'],
    ['TIN', '123456780001', '12345678-0001'],
    ['TIN', ' 1234567890 ', '1234567890'],
    ['TIN', '1234567890123', '1234567890123'],
    ['TIN', '12345678 0001', undefined],
    ['TIN', '1234567-00001', undefined],
    // A NIN and an RC number are Tax IDs.
    ['TIN', ' 12345678901', '12345678901'],
    ['TIN', 'rc-1234567', 'RC1234567'],
    ['TIN', '1234 5678 901', undefined],
    ['TIN', '12345678-901', undefined],
    ['TIN', 'BN1234567', undefined],
    ['TIN', '1234567', undefined],
    // The test numbers of Dojah, VerifyMe, Prembly and Youverify.
    ['NIN', 'AB012345678910YZ', 'AB012345678910YZ'],
    ['NIN', ' jz426633988976ch\n', 'JZ426633988976CH'],
    ['NIN', 'AA1234567890123B', 'AA1234567890123B'],
    ['NIN', 'YV111111111111FY', 'YV111111111111FY'],
    ['NIN', '1234567890123456', undefined],
    ['NIN', 'AB 012345678910YZ', undefined],
    ['NIN', 'AB012345678910Y', undefined],
    ['BVN', 'AB012345678910YZ', undefined],
  ])('the %s %j has the form %j', (idType, text, canonical) => {
    expect(canonicalNumber(idType, text)).toBe(canonical);
  });

  test.each(ID_TYPES)('the documented %s example is already canonical', (idType) => {
    const { example } = numberFormat(idType);
    expect(canonicalNumber(idType, example)).toBe(example);
  });
});

describe('a number in text:', () => {
  test.each([
    ['12345678901', '12345678901'],
    ['order 1234 5678-901', '12345678901'],
    ['123.456.789.01', '12345678901'],
    ['1234_5678/901', '12345678901'],
    ['12345 / 678901', '12345678901'],
    ['１２３４５６７８９０１', '12345678901'],
    ['١٢٣٤٥٦٧٨٩٠١', '12345678901'],
    ['\u06f1\u06f2\u0969 456 \u0ced\u0cee\u0cef \u19d0\u{1e951}', '12345678901'],
    ['TIN 12345678-0001', '12345678-0001'],
    ['123456780001', '12345678-0001'],
    ['order ab-012345678910-yz', 'AB012345678910YZ'],
    ['licence abc-12345 ab12', 'ABC12345AB12'],
    ['①②③④⑤⑥⑦⑧⑨⓪①', '12345678901'],
  ])('%j contains %s', (text, number) => {
    expect(containsNumber(text, number)).toBe(true);
  });

  test.each([
    ['12345678902', '12345678901'],
    ['1234x5678901', '12345678901'],
    ['20261122/0001', '12345678901'],
    // Too short to identify a person.
    ['RC1234567', 'RC1234567'],
    ['LLP12345678', 'LLP12345678'],
  ])('%j does not contain %s', (text, number) => {
    expect(containsNumber(text, number)).toBe(false);
  });
});

test('a company number consists of a type and digits', () => {
  expect(companyNumber('LLP0012')).toEqual({ type: 'LLP', digits: '0012' });
  expect(companyNumber('BN7000')).toEqual({ type: 'BN', digits: '7000' });
  expect(() => companyNumber('7000')).toThrow('not a canonical CAC number');
});

test.each([
  ['12345678-0001', 'FIRS'],
  ['1234567890', 'JTB'],
  ['1234567890123', 'TAX_ID'],
  ['12345678901', 'NIN'],
  ['RC1234567', 'RC'],
] as const)('the format of the tax number %s is %s', (number, format) => {
  expect(tinFormat(number)).toBe(format);
});
