import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { COMPANY_TYPES } from '../../../shared/core/id-types.ts';
import {
  closestEntity,
  companyTypeIn,
  entityFoundOrFailed,
  type ResponseEntity,
} from '../../../shared/registries/mapping/entity.ts';
import {
  localPhone,
  plainDate,
  plainGender,
  plainImage,
  plainText,
  readPicture,
} from '../../../shared/registries/mapping/formats.ts';
import { isSameNumber } from '../../../shared/registries/mapping/results.ts';
import { sharePercentages } from '../../../shared/registries/mapping/shareholding.ts';
import type { RegistryQuery } from '../../../shared/registries/port.ts';
import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { EMPTY_CAC } from '../../support/registries/empty-records.ts';
import { charactersNormalised } from '../../support/registries/normalised.ts';

const JPEG: string = PORTRAITS.yoruba.f;

test.each([
  ['ABC12345AB12', 'abc-12345 ab12', true],
  ['RCA12345AB12', 'A12345AB12', false],
  ['AB012345678910YZ', '012345678910', false],
  ['RC7000', 'RC-0007000', true],
  ['RC7000', '7000', true],
])('as the number in a response, %s may be %s: %s', (number, inResponse, isSame) => {
  expect(isSameNumber(number, inResponse)).toBe(isSame);
});

describe('texts are normalised:', () => {
  test.each([
    ['  Adébáyọ̀ \n Olú ', 'Adébáyọ̀ Olú'],
    ['Ṣadé'.normalize('NFD'), 'Ṣadé'.normalize('NFC')],
    ['****', ''],
    ['N/A', ''],
    ['not found', ''],
    ['null', ''],
    [`A${String.fromCharCode(0)}B`, 'A B'],
    ['\ud800lone', '\ufffdlone'],
    ["O'Neil-Ọbị", "O'Neil-Ọbị"],
    // Escaped by PHP and Python, and by two systems in a row.
    ['O&#x27;BRIEN', "O'BRIEN"],
    ['O&#039;BRIEN &AMP; SONS', "O'BRIEN & SONS"],
    ['O&amp;#39;BRIEN', "O'BRIEN"],
    ['A&nbsp;&#0;&#10;B', 'A B'],
    ['&#x110000;&#xD800;&unknown; AT&T', '&#x110000;\ufffd&unknown; AT&T'],
    [12345, '12345'],
  ])('%j', (given, expected) => {
    expect(plainText(given)).toBe(expected);
  });
});

test('text with an overlong word is not normalised, because NFC would be slow', async () => {
  const marks = (count: number) => `A${'\u0301\u0323'.repeat(count / 2)} B`;
  expect(await charactersNormalised(() => plainText(marks(62)))).toBe(0);
  expect(plainText(marks(62))).toBe(marks(62));
  expect(plainText(marks(60))).toBe(marks(60).normalize('NFC'));
  expect(plainText('Ọ'.normalize('NFD').repeat(200))).toBe('Ọ'.repeat(200));
});

describe('dates become DD-MM-YYYY:', () => {
  test.each([
    ['05-04-1990', '05-04-1990'],
    ['1990-04-05', '05-04-1990'],
    ['05-Apr-1990', '05-04-1990'],
    ['5 April 1990', '05-04-1990'],
    ['05/04/1990', '05-04-1990'],
    ['1990/4/5', '05-04-1990'],
    ['1990-04-05T00:00:00', '05-04-1990'],
    ['1990-04-05 00:00:00', '05-04-1990'],
    ['2017-04-17T13:33:22.770+00:00', '17-04-2017'],
    // Midnight in Lagos.
    ['2019-03-03T23:00:00Z', '04-03-2019'],
    ['1990-03-14T00:00:00Z', '14-03-1990'],
    ['1990-03-14T23:30:00', '14-03-1990'],
    ['14 MAR 1990', '14-03-1990'],
    ['4-3-1990', '04-03-1990'],
    ['4-Mar-1990', '04-03-1990'],
    ['07-Jul-95', '07-07-1995'],
    ['05/03/1990 00:00:00', '05-03-1990'],
    ['05-Mar-1990 00:00:00', '05-03-1990'],
    ['5/3/1990 12:00:00 AM', '05-03-1990'],
    ['5 March 1990T08:30:00.123+01:00', '05-03-1990'],
    ['07-Jul-95 10:00', '07-07-1995'],
    ['Wed Mar 14 01:00:00 GMT 2018', '14-03-2018'],
    ['Sun Dec 31 23:00:00 WAT 1989', '31-12-1989'],
    ['05-03-1990 later', ''],
    // Placeholders, and dates that no registry can have.
    ['0001-01-01T00:00:00', ''],
    ['0001-01-01T00:00:00Z', ''],
    ['1753-01-01', ''],
    ['01/01/1900 00:00:00', ''],
    ['1900-01-02', '02-01-1900'],
    ['2099-01-01', ''],
    ['31-12-9999', ''],
    ['31-02-1990', ''],
    ['31-Feb-95', ''],
    // It could be 5 July 1995, or 7 May 1995 with the year first.
    ['95-07-05', ''],
    ['00-00-0000', ''],
    ['5-13-1990', ''],
    ['05-Foo-1990', ''],
    ['****', ''],
    ['', ''],
  ])('%j', (given, expected) => {
    expect(plainDate(given)).toBe(expected);
  });
});

test.each([
  ['22-Nov-26', '22-11-2026'],
  ['23-Nov-26', '23-11-1926'],
  ['29-Feb-00', '29-02-2000'],
  ['1-Jan-30', '01-01-1930'],
])('the short year of %j is never in the future', (given, expected) => {
  const nowMs = Date.parse('2026-11-21T23:30:00Z');
  expect(plainDate(given, nowMs)).toBe(expected);
});

test('a date is at most today in Lagos', () => {
  const nowMs = Date.parse('2026-11-21T23:30:00Z');
  expect(plainDate('22-11-2026', nowMs)).toBe('22-11-2026');
  expect(plainDate('2026-11-23', nowMs)).toBe('');
});

test.each([
  ['m', 'm'],
  ['Male', 'm'],
  ['F', 'f'],
  ['FEMALE', 'f'],
  ['other', ''],
  ['', ''],
])('the gender %j becomes %j', (given, expected) => {
  expect(plainGender(given)).toBe(expected);
});

test.each([
  ['+234 803 123 4567', '08031234567'],
  ['2348031234567', '08031234567'],
  ['+234 (0) 803 123 4567', '08031234567'],
  ['8031234567', '08031234567'],
  [8031234567, '08031234567'],
  ['08031234567', '08031234567'],
  ['+44 20 7946 0000', '+44 20 7946 0000'],
  ['****', ''],
])('the phone number %j becomes %j', (given, expected) => {
  expect(localPhone(given)).toBe(expected);
});

describe('pictures', () => {
  test('lose their prefix and line breaks', () => {
    const wrapped = `data:image/jpeg;base64,${JPEG.replace(/.{76}/g, '$&\r\n')}`;
    expect(plainImage(wrapped)).toBe(JPEG);
  });

  test('are returned unchanged, or converted from the URL-safe alphabet', () => {
    expect(plainImage(JPEG)).toBe(JPEG);
    expect(plainImage(JPEG.replaceAll('+', '-').replaceAll('/', '_'))).toBe(JPEG);
  });

  test('become empty if they are not a complete JPEG or PNG', () => {
    const cut = Buffer.from(JPEG, 'base64').subarray(0, 2_000).toString('base64');
    const html = Buffer.from('<html>'.repeat(100)).toString('base64');
    const bent = `${JPEG.slice(0, 400)}*${JPEG.slice(401)}`;
    for (const [bad, problem] of [
      ['', undefined],
      ['****', undefined],
      ['not base64', 'picture-not-base64'],
      [bent, 'picture-not-base64'],
      ['data:image/jpeg;base64,=', 'picture-not-base64'],
      [html, 'picture-of-unknown-format'],
      [cut, 'picture-incomplete'],
      ['/9j/', 'picture-incomplete'],
    ] as const)
      expect(readPicture(bad)).toEqual({ picture: '', ...(problem && { problem }) });
  });

  test.each([
    ['a trailing NUL', `${JPEG}\0`],
    ['no padding', JPEG.replace(/=+$/, '')],
    ['too much padding', `${JPEG}==`],
    ['parameters of the data URI', `data:image/jpeg;charset=utf-8;base64,${JPEG}`],
    ['a newline before the data URI and after it', `\n data:image/jpeg;base64,\r\n${JPEG}`],
    ['no scheme before the type', `image/jpg;base64,${JPEG}`],
    ['quotes', `"${JPEG}"`],
    ['NULs between the lines', JPEG.replace(/.{76}/g, '$&\0\n')],
  ])('are read with %s', (_, text) => {
    expect(plainImage(text)).toBe(JPEG);
  });

  test('are read in linear time', () => {
    const startedMs = performance.now();
    for (const long of [' '.repeat(1_400_000), `${'='.repeat(1_400_000)}A`, `A${' '.repeat(1_400_000)}A`])
      expect(plainImage(long)).toBe('');
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  test('may have white space after every 64 characters, but not after every one', () => {
    const spaced = (everyCharacters: number) => JPEG.replace(new RegExp(`.{${everyCharacters}}`, 'g'), '$& ');
    expect(plainImage(spaced(64))).toBe(JPEG);
    expect(plainImage('A '.repeat(30_001))).toBe('');
  });

  test('may be a PNG', () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    expect(plainImage(png)).toBe(png);
  });
});

describe('percentages from shares', () => {
  test('the largest remainder is rounded up', () => {
    expect(sharePercentages([2, 1])).toEqual([66.67, 33.33]);
  });

  test('add up to exactly 100.00 unless all shares are 0', () => {
    const shares = fc.array(fc.nat({ max: 2 ** 53 - 1 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(shares, (counts) => {
        const percentages = sharePercentages(counts);
        const hundredths = percentages.map((one) => Math.round((one ?? 0) * 100));
        const total = hundredths.reduce((sum, part) => sum + part, 0);
        expect(total).toBe(counts.some((count) => count > 0) ? 10_000 : 0);
        expect(percentages.map((one) => one === null)).toEqual(
          counts.map((count) => count === 0 || total === 0),
        );
      }),
    );
  });

  test('give the remainder of equal shares to the first, and are null for a share of 0', () => {
    expect(sharePercentages([1, 1, 1])).toEqual([33.34, 33.33, 33.33]);
    expect(sharePercentages([0, 0])).toEqual([null, null]);
    expect(sharePercentages([5, 0])).toEqual([100, null]);
  });
});

describe('the entity in a response', () => {
  const record = { ...EMPTY_CAC, companyName: 'EXAMPLE', rcNumber: 'RC7000' };
  const query: RegistryQuery = { idType: 'CAC', number: 'RC7000', level: 'basic', deadlineMs: 0 };
  const resultFor = (entity: Partial<ResponseEntity>) =>
    entityFoundOrFailed(query, { number: '7000', types: [], requestNamesType: true, ...entity }, record);

  test.each([
    ['the same number and type', { types: ['RC'] }],
    ['a description of the type', { types: ['PRIVATE_COMPANY_LIMITED_BY_SHARES', 'COMPANY'] }],
    ['leading zeros', { number: '0007000', types: ['RC'] }],
    ['the type before the number', { number: 'RC-7000', requestNamesType: false }],
    ['a colon after the type', { number: 'RC: 7000', requestNamesType: false }],
    ['"No." after the type', { number: 'rc No. 0007000', requestNamesType: false }],
    ['no type, if the request named it', { types: ['Active', ''] }],
  ])('is accepted with %s', (_, entity) => {
    expect(resultFor(entity)).toEqual({ kind: 'found', record });
  });

  test.each([
    ['a different number', { number: '7001', types: ['RC'] }, 'other-number'],
    ['a longer number', { number: '70000', types: ['RC'] }, 'other-number'],
    ['two numbers', { number: 'RC: 7000, 7001', types: ['RC'] }, 'other-number'],
    ['no number', { number: '', types: ['RC'] }, 'other-number'],
    ['a different type', { types: ['BN'] }, 'other-type'],
    ['a different type before the number', { number: 'BN7000' }, 'other-type'],
    ['two different types', { types: ['RC', 'BUSINESS_NAME'] }, 'other-type'],
    ['no type, if the request named none', { requestNamesType: false }, 'no-type'],
  ])('is rejected with %s', (_, entity, detail) => {
    expect(resultFor(entity)).toEqual({ kind: 'failed', detail });
  });

  test('without a name is rejected', () => {
    const entity = { number: '7000', types: ['RC'], requestNamesType: true };
    const nameless = { ...record, companyName: '' };
    expect(entityFoundOrFailed(query, entity, nameless)).toEqual({ kind: 'failed', detail: 'empty-record' });
  });

  test('is found in a list, in any order', () => {
    const entries = ['BN7000', 'RC7001', '7000', 'RC7000', 'IT7000'];
    const entityOf = (number: string): ResponseEntity => ({ number, types: [], requestNamesType: true });
    fc.assert(
      fc.property(fc.shuffledSubarray(entries, { minLength: 5 }), (list) => {
        expect(closestEntity(query, list, entityOf)).toBe('RC7000');
      }),
    );
    expect(closestEntity(query, ['RC7001', 'BN7000', '7000'], entityOf)).toBe('7000');
    expect(closestEntity(query, [], entityOf)).toBeUndefined();
  });

  test.each([
    [
      'RC',
      ['RC', 'rc', 'COMPANY', 'Company', 'Public', 'PUBLIC_COMPANY_LIMITED_BY_SHARES', 'Limited Liability'],
    ],
    [
      'BN',
      [
        'BN',
        'BUSINESS_NAME',
        'BUSINESS NAME',
        'Business Names',
        'Business',
        'BUSINESS_NAME_PARTNERSHIP',
        'Sole Proprietorship',
      ],
    ],
    ['IT', ['IT', 'INCORPORATED_TRUSTEE', 'INCORPORATED_TRUSTEES', 'INCORPORATED_TRUSTESS', 'Trustee']],
    ['LP', ['LP', 'LL', 'LIMITED_PARTNERSHIP']],
    ['LLP', ['LLP', 'LIMITED_LIABILITY_PARTNERSHIP']],
    [undefined, ['', 'Active', 'PARTNERSHIP', '2']],
  ] as const)('is of type %s', (type, texts) => {
    for (const text of texts) expect([text, companyTypeIn(text)]).toEqual([text, type]);
  });

  test('is recognised as each type that callers can name', () => {
    for (const type of COMPANY_TYPES) expect(companyTypeIn(type)).toBe(type);
  });
});
