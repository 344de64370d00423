import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RegistryProvider } from '../../../shared/registries/port.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { ask, recordOf } from '../../support/registries/ask.ts';
import {
  DOJAH_ERRORS,
  DOJAH_KEYS,
  DOJAH_NUMBERS,
  OTHER_NUMBERS,
  startDojah,
} from '../../support/registries/dojah-double.ts';
import type { TestDouble } from '../../support/registries/double.ts';

let double: TestDouble;
let dojah: RegistryProvider;

function withSecret(secret: Record<string, string>): RegistryProvider {
  return liveProvider('dojah', { credentials: async () => secret, allowLocal: true });
}

beforeAll(async () => {
  double = await startDojah();
  dojah = withSecret({ ...DOJAH_KEYS, baseUrl: double.baseUrl });
});
afterAll(() => double.stop());

describe('each published test number gives a record', () => {
  test('NIN, at both levels with its residence', async () => {
    for (const level of ['basic', 'premium'] as const) {
      expect(await recordOf(dojah, 'NIN', DOJAH_NUMBERS.NIN, { level })).toMatchObject({
        firstname: 'John',
        middlename: '',
        gender: 'm',
        birthdate: '01-01-1982',
        residence: { state: 'Lagos' },
      });
    }
  });

  test('BVN, basic and premium', async () => {
    const basic = await recordOf(dojah, 'BVN', DOJAH_NUMBERS.BVN, { level: 'basic' });
    expect(basic).toMatchObject({ birthdate: '16-05-1997', phone_number2: '08012345679' });
    expect(basic.photo).toMatch(/^\/9j\//);
    const premium = await recordOf(dojah, 'BVN', DOJAH_NUMBERS.BVN);
    expect(premium).toMatchObject({
      watch_listed: 'NO',
      registration_date: '03-02-2015',
      enrollment_bank: '044',
    });
  });

  test('TIN', async () => {
    expect(await recordOf(dojah, 'TIN', DOJAH_NUMBERS.TIN)).toMatchObject({
      name: 'JOHN DOE',
      phone: '08012345678',
    });
  });
});

describe('numbers that are returned as integers without their leading zeros', () => {
  test('NIN', async () => {
    expect((await recordOf(dojah, 'NIN', OTHER_NUMBERS.NIN)).nin).toBe(OTHER_NUMBERS.NIN);
  });

  test('account number', async () => {
    const account = await recordOf(dojah, 'NUBAN', OTHER_NUMBERS.NUBAN, { bankCode: '058' });
    expect(account).toMatchObject({ account_name: 'DOE JOHN', bank_name: 'Guaranty Trust Bank Plc' });
  });

  test('CAC, in both shapes of the response', async () => {
    const basic = await recordOf(dojah, 'CAC', OTHER_NUMBERS.CAC, { level: 'basic' });
    expect(basic).toMatchObject({ companyName: 'TEST COMPANY LTD', registrationDate: '08-09-2004' });
    const premium = await recordOf(dojah, 'CAC', OTHER_NUMBERS.CAC);
    expect(premium).toMatchObject({ shareCapital: 1_000_000, headOfficeAddress: '10 Sample Avenue' });
    expect(premium.directors).toEqual([{ surname: 'DOE', firstname: 'JOHN', otherName: '' }]);
    expect(premium.affiliatesData.map((one) => one.shareholdingPercentage)).toEqual([null, 100]);
  });
});

describe('each documented error gives the right result', () => {
  test.each([
    ['400', DOJAH_ERRORS.badRequest, { kind: 'failed', detail: 'http-400' }],
    ['402 low balance', DOJAH_ERRORS.lowBalance, { kind: 'unreachable', detail: 'provider-funds' }],
    ['404 no record', DOJAH_ERRORS.notFound, { kind: 'not-found', detail: 'http-404' }],
    ['404 no such address', DOJAH_ERRORS.wrongAddress, { kind: 'failed', detail: 'http-404' }],
    ['408', DOJAH_ERRORS.tooSlow, { kind: 'timeout', detail: 'http-408', maybeBilled: true }],
    [
      '424 source failed',
      DOJAH_ERRORS.sourceFailed,
      { kind: 'unreachable', detail: 'http-424', maybeBilled: true },
    ],
    ['429', DOJAH_ERRORS.rateLimited, { kind: 'unreachable', detail: 'rate-limited' }],
    ['500', DOJAH_ERRORS.broken, { kind: 'unreachable', detail: 'http-500', maybeBilled: true }],
    [
      'a 200 with a text for an entity',
      DOJAH_ERRORS.textInside,
      { kind: 'failed', detail: 'unexpected-shape:entity' },
    ],
  ])('%s', async (_, number, outcome) => {
    expect(await ask(dojah, 'BVN', number)).toEqual(outcome);
  });

  test('401', async () => {
    const unauthorised = withSecret({ ...DOJAH_KEYS, apiKey: 'wrong', baseUrl: double.baseUrl });
    expect(await ask(unauthorised, 'NIN', DOJAH_NUMBERS.NIN)).toEqual({
      kind: 'unreachable',
      detail: 'credentials-refused',
    });
  });
});
