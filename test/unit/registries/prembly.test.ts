import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RegistryProvider } from '../../../shared/registries/port.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { ask, recordOf } from '../../support/registries/ask.ts';
import type { TestDouble } from '../../support/registries/double.ts';
import {
  PREMBLY_ERRORS,
  PREMBLY_KEY,
  PREMBLY_NUMBERS,
  startPrembly,
} from '../../support/registries/prembly-double.ts';

let double: TestDouble;
let prembly: RegistryProvider;

function withSecret(secret: Record<string, string>): RegistryProvider {
  return liveProvider('prembly', { credentials: async () => secret, allowLocal: true });
}

beforeAll(async () => {
  double = await startPrembly();
  prembly = withSecret({ apiKey: PREMBLY_KEY, baseUrl: double.baseUrl });
});
afterAll(() => double.stop());

describe('each published test number gives a record', () => {
  test.each([PREMBLY_NUMBERS.NIN, PREMBLY_NUMBERS.olderNIN])('NIN %s, basic and premium', async (nin) => {
    for (const level of ['basic', 'premium'] as const) {
      expect(await recordOf(prembly, 'NIN', nin, { level })).toMatchObject({
        lastname: 'PERSON',
        birthdate: '05-04-1990',
        gender: 'm',
        employment_status: 'employed',
        nspokenlang: 'YORUBA',
        residence: { address1: '1 Sample Street', town: 'Ikeja' },
        photo: expect.stringMatching(/^\/9j\/[A-Za-z0-9+/]+=*$/),
        next_of_kin: { firstname: '****' },
      });
    }
  });

  test('BVN, returned as an integer, with a data URI and an N/A', async () => {
    expect(await recordOf(prembly, 'BVN', PREMBLY_NUMBERS.BVN)).toMatchObject({
      middlename: '',
      birthdate: '05-04-1990',
      gender: 'm',
      photo: expect.stringMatching(/^\/9j\//),
      watch_listed: 'NO',
    });
  });

  test('CAC, from a list of companies, with percentages that add up to 100.00', async () => {
    const company = await recordOf(prembly, 'CAC', PREMBLY_NUMBERS.CAC);
    expect(company).toMatchObject({
      companyName: 'TEST COMPANY',
      registrationDate: '14-06-1986',
      affiliates: 3,
    });
    expect(company.affiliatesData.map((one) => one.shareholdingPercentage)).toEqual([33.33, 66.67, null]);
    expect(company.affiliatesData[2]).toMatchObject({ isCorporate: true, rcNumber: '7001' });
    expect(company.directors).toHaveLength(2);
    const basic = await recordOf(prembly, 'CAC', PREMBLY_NUMBERS.CAC, { level: 'basic' });
    expect(basic.directors).toEqual([]);
  });

  test('TIN', async () => {
    expect(await recordOf(prembly, 'TIN', PREMBLY_NUMBERS.TIN)).toMatchObject({
      name: 'TEST COMPANY',
      phone: '08012345678',
    });
  });

  test('NUBAN, under a key that contains a space, with the NIP code replaced by the CBN code', async () => {
    for (const bankCode of [PREMBLY_NUMBERS.bankCode, '000003']) {
      const account = await recordOf(prembly, 'NUBAN', PREMBLY_NUMBERS.NUBAN, { bankCode });
      expect(account).toMatchObject({
        account_name: 'TEST ACCOUNT',
        bank_name: 'First City Monument Bank Plc',
      });
    }
  });
});

describe('each documented error gives the right result', () => {
  test.each([
    ['not found, in a 200', PREMBLY_ERRORS.notFound, { kind: 'not-found', detail: 'code-01' }],
    [
      'source down, in a 200 with status true',
      PREMBLY_ERRORS.sourceDown,
      { kind: 'unreachable', detail: 'code-02' },
    ],
    ['wallet empty', PREMBLY_ERRORS.walletEmpty, { kind: 'unreachable', detail: 'provider-funds' }],
    ['blocked, and billed', PREMBLY_ERRORS.blocked, { kind: 'failed', detail: 'blocked', maybeBilled: true }],
    ['an undocumented code', PREMBLY_ERRORS.undocumented, { kind: 'failed', detail: 'code-42' }],
    ['a map of field errors', PREMBLY_ERRORS.fieldErrors, { kind: 'failed', detail: 'http-400' }],
    ['403', PREMBLY_ERRORS.forbidden, { kind: 'unreachable', detail: 'credentials-refused' }],
    ['429', PREMBLY_ERRORS.rateLimited, { kind: 'unreachable', detail: 'rate-limited' }],
    ['502 in HTML', PREMBLY_ERRORS.gateway, { kind: 'unreachable', detail: 'http-502', maybeBilled: true }],
  ])('%s', async (_, number, outcome) => {
    expect(await ask(prembly, 'BVN', number)).toEqual(outcome);
  });

  test('a wrong key', async () => {
    const unauthorised = withSecret({ apiKey: 'wrong', baseUrl: double.baseUrl });
    expect(await ask(unauthorised, 'NIN', PREMBLY_NUMBERS.NIN)).toEqual({
      kind: 'unreachable',
      detail: 'credentials-refused',
    });
  });

  test('an account number without a bank code is not sent', async () => {
    const before = double.requests.length;
    expect(await ask(prembly, 'NUBAN', PREMBLY_NUMBERS.NUBAN)).toEqual({
      kind: 'failed',
      detail: 'bank-code-needed',
      excludedFromHealth: true,
    });
    expect(double.requests).toHaveLength(before);
  });

  test.each([
    ['no key', {}],
    ['a host of another company', { apiKey: 'k', baseUrl: 'https://prembly.example.com' }],
    ['a cloud metadata address', { apiKey: 'k', baseUrl: 'http://169.254.169.254' }],
  ])('a secret with %s sends nothing', async (_, secret) => {
    const result = await ask(withSecret(secret), 'NIN', PREMBLY_NUMBERS.NIN);
    expect(result).toEqual({ kind: 'unreachable', detail: 'not-configured' });
  });
});

test('older accounts send their app ID and may use a base URL with a path', async () => {
  const older = withSecret({
    apiKey: PREMBLY_KEY,
    appId: 'app-1',
    baseUrl: `${double.baseUrl}/identitypass/`,
  });
  await ask(older, 'NIN', PREMBLY_NUMBERS.NIN);
  expect(double.requests.at(-1)).toMatchObject({
    path: '/identitypass/verification/vnin',
    headers: { 'app-id': 'app-1' },
    json: { number_nin: PREMBLY_NUMBERS.NIN },
  });
});
