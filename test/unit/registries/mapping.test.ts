import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  localPhone,
  plainDate,
  plainGender,
  plainImage,
  plainText,
} from '../../../shared/registries/mapping/formats.ts';
import {
  BANKS,
  bankByCode,
  checkDigit,
  hasCheckDigit,
  preferredCode,
} from '../../../shared/registries/mapping/nuban.ts';
import { sharePercentages } from '../../../shared/registries/mapping/shareholding.ts';
import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';

const JPEG: string = PORTRAITS.yoruba.f;

describe('texts are normalised', () => {
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
    [12345, '12345'],
  ])('%j', (given, expected) => {
    expect(plainText(given)).toBe(expected);
  });
});

describe('dates become DD-MM-YYYY', () => {
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
    ['31-02-1990', ''],
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
  ['m', 'm'],
  ['Male', 'm'],
  ['F', 'f'],
  ['FEMALE', 'f'],
  ['other', ''],
  ['', ''],
])('gender %j', (given, expected) => {
  expect(plainGender(given)).toBe(expected);
});

test.each([
  ['+234 803 123 4567', '08031234567'],
  ['2348031234567', '08031234567'],
  ['8031234567', '08031234567'],
  [8031234567, '08031234567'],
  ['08031234567', '08031234567'],
  ['+44 20 7946 0000', '+44 20 7946 0000'],
  ['****', ''],
])('phone %j', (given, expected) => {
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
    for (const bad of ['', 'not base64', cut, html, bent, JPEG.slice(0, -1), '/9j/']) {
      expect(plainImage(bad)).toBe('');
    }
  });

  test('may be a PNG', () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    expect(plainImage(png)).toBe(png);
  });
});

describe('percentages derived from shares', () => {
  test('add up to exactly 100.00, whatever the shares', () => {
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

  test('thirds', () => {
    expect(sharePercentages([1, 1, 1])).toEqual([33.34, 33.33, 33.33]);
    expect(sharePercentages([0, 0])).toEqual([null, null]);
    expect(sharePercentages([5, 0])).toEqual([100, null]);
  });
});

describe('the NUBAN check digit', () => {
  test.each([
    ['011', '000001457', 9],
    ['011', '000000022', 0],
    ['058', '012345678', 5],
    ['950547', '000000022', 4],
    ['950547', '000001457', 3],
    ['950547', '000000008', 0],
  ])('of %s and %s is %d', (institution, serial, digit) => {
    expect(checkDigit(institution, serial)).toBe(digit);
  });

  test('is the same in the 3-digit and the padded 6-digit form', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{3}$/), fc.stringMatching(/^[0-9]{9}$/), (code, serial) => {
        expect(checkDigit(`000${code}`, serial)).toBe(checkDigit(code, serial));
      }),
    );
  });

  test('uses the CBN code, also for a bank that was found by its NIP code', () => {
    const bank = bankByCode('000013');
    expect(bank).toMatchObject({ cbnCode: '058' });
    expect(bank && hasCheckDigit('0123456785', bank)).toBe(true);
    expect(bank && hasCheckDigit('0123456784', bank)).toBe(false);
  });

  test('puts a 9 before the code of other institutions, and is unknown for banks without a CBN code', () => {
    const other = { name: 'An Institution', cbnCode: '50547', nipCode: '' };
    expect(hasCheckDigit('0000000224', other)).toBe(true);
    expect(hasCheckDigit('0000000225', other)).toBe(false);
    expect(hasCheckDigit('0000000224', { ...other, cbnCode: '' })).toBeUndefined();
  });
});

test('the list of banks has well-formed codes, each once', () => {
  const codes = BANKS.flatMap(({ cbnCode, nipCode }) => [cbnCode, nipCode]).filter(Boolean);
  expect(new Set(codes).size).toBe(codes.length);
  for (const { name, cbnCode, nipCode } of BANKS) {
    expect(name).not.toBe('');
    expect(cbnCode).toMatch(/^(?:|[0-9]{3}|[0-9]{5})$/);
    expect(nipCode).toMatch(/^(?:|[0-9]{6})$/);
  }
  expect(preferredCode('000013')).toBe('058');
  expect(preferredCode('no-such-code')).toBe('no-such-code');
});
