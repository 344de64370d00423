import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { IdType } from '../../../shared/core/id-types.ts';
import type { RegistryProvider, RegistryResult } from '../../../shared/registries/port.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { ask, recordOf } from '../../support/registries/ask.ts';
import type { FixtureQuery } from '../../support/registries/cases/case.ts';
import { startDouble, type TestDouble } from '../../support/registries/double.ts';
import { bodyOf, type Json } from '../../support/registries/fixtures.ts';
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

describe('each published test number returns a record:', () => {
  test.each([PREMBLY_NUMBERS.NIN, PREMBLY_NUMBERS.olderNIN])('NIN %s, basic and premium', async (nin) => {
    for (const level of ['basic', 'premium'] as const) {
      expect(await recordOf(prembly, 'NIN', nin, { level })).toMatchObject({
        firstname: 'AMINA',
        birthdate: '14-03-1990',
        gender: 'f',
        email: '',
        residence: { address1: '1 EXAMPLE CLOSE' },
        photo: expect.stringMatching(/^\/9j\/[A-Za-z0-9+/]+=*$/),
        next_of_kin: { firstname: '****' },
      });
    }
  });

  test('BVN, returned as an integer, with the middle name N/A', async () => {
    expect(await recordOf(prembly, 'BVN', PREMBLY_NUMBERS.BVN)).toMatchObject({
      middlename: '',
      birthdate: '04-03-1990',
      gender: 'f',
    });
  });

  test('CAC, with percentages that add up to 100.00', async () => {
    const company = await recordOf(prembly, 'CAC', PREMBLY_NUMBERS.CAC);
    expect(company).toMatchObject({ companyName: 'EXAMPLE TRADING', affiliates: 3 });
    expect(company.affiliatesData.map((one) => one.shareholdingPercentage)).toEqual([33.33, 66.67, null]);
    expect(company.affiliatesData[2]).toMatchObject({ isCorporate: true, rcNumber: '7001' });
    expect(company.directors).toHaveLength(2);
    const basic = await recordOf(prembly, 'CAC', PREMBLY_NUMBERS.CAC, { level: 'basic' });
    expect(basic.directors).toEqual([]);
  });

  test('CAC, from a list that starts with BN7000 and RC7001', async () => {
    const company = await recordOf(prembly, 'CAC', PREMBLY_NUMBERS.listedCAC);
    expect(company).toMatchObject({ companyName: 'EXAMPLE CLUB', classification: 'RC' });
  });

  test('TIN with 12 and with 13 digits', async () => {
    expect(await recordOf(prembly, 'TIN', PREMBLY_NUMBERS.TIN)).toMatchObject({
      name: 'example taxpayer',
      tin_format: 'FIRS',
    });
    expect(await recordOf(prembly, 'TIN', PREMBLY_NUMBERS.taxId)).toMatchObject({
      name: 'EXAMPLE LIMITED',
      tin_format: 'TAX_ID',
    });
  });

  test('NUBAN, under a key that contains a space, with the NIP code replaced by the CBN code', async () => {
    for (const bankCode of [PREMBLY_NUMBERS.bankCode, '000003']) {
      const account = await recordOf(prembly, 'NUBAN', PREMBLY_NUMBERS.NUBAN, { bankCode });
      expect(account).toMatchObject({
        account_name: 'Example Account',
        bank_name: 'First City Monument Bank Plc',
      });
    }
  });
});

test.each(['RC', 'BN', 'IT', 'LP', 'LLP'])('the request for a company includes the type %s', async (type) => {
  for (const level of ['basic', 'premium'] as const) {
    await ask(prembly, 'CAC', `${type}0055`, { level });
    expect(double.requests.at(-1)?.json).toEqual({ rc_number: '0055', company_type: type });
  }
});

/** Returns the result for a response with these values instead of the fixture's. */
async function resultFor(query: FixtureQuery, fixture: string, values: Json): Promise<RegistryResult> {
  const server = await startDouble(() => ({ status: 200, body: bodyOf(fixture, values) }));
  const { idType, number, ...more } = query;
  const result = await ask(withSecret({ apiKey: 'key', baseUrl: server.baseUrl }), idType, number, more);
  await server.stop();
  return result;
}

describe('a response about a different number is not returned as a record:', () => {
  const { NIN, BVN, CAC, TIN, taxId, NUBAN, bankCode } = PREMBLY_NUMBERS;
  test.each<[FixtureQuery, string, Json, string]>([
    [
      { idType: 'NIN', number: NIN, level: 'premium' },
      'nin-advanced.found',
      { nin_data: { nin: '12345678902' } },
      'other-number',
    ],
    [
      { idType: 'NIN', number: NIN, level: 'premium' },
      'nin-advanced.found',
      { nin_data: { nin: '' } },
      'other-number',
    ],
    // The sample of NIN Basic contains no number, but a number in a response is checked.
    [
      { idType: 'NIN', number: NIN, level: 'basic' },
      'nin-advanced.found',
      { nin_data: { nin: '12345678902' } },
      'other-number',
    ],
    [
      { idType: 'BVN', number: BVN, level: 'basic' },
      'bvn-advanced.found',
      { data: { bvn: '54651333605' } },
      'other-number',
    ],
    [
      { idType: 'TIN', number: TIN, level: 'basic' },
      'tin.found.1',
      { data: { firstin: '20304753-0002' } },
      'other-number',
    ],
    [
      { idType: 'TIN', number: TIN, level: 'basic' },
      'tin.found.1',
      { data: { jittin: '203047530002' } },
      'other-number',
    ],
    [{ idType: 'TIN', number: '1000000001', level: 'basic' }, 'tin.found.1', {}, 'other-number'],
    [
      { idType: 'TIN', number: taxId, level: 'basic' },
      'business-tax.found',
      { data: { tin: '2522520314834' } },
      'other-number',
    ],
    [
      { idType: 'NUBAN', number: NUBAN, level: 'basic', bankCode },
      'account.found',
      { 'account data': { account_number: '4444444445' } },
      'other-number',
    ],
    [
      { idType: 'CAC', number: CAC, level: 'basic' },
      'cac-basic.found.1',
      { data: { rc_number: '92933' } },
      'other-number',
    ],
    [
      { idType: 'CAC', number: CAC, level: 'basic' },
      'cac-basic.found.1',
      { data: { company_type: 'BN' } },
      'other-type',
    ],
    [
      { idType: 'CAC', number: 'BN7000', level: 'premium' },
      'cac-advanced.found.1',
      { data: [{ entity_type: 'IT' }, { entity_type: 'RC' }] },
      'other-type',
    ],
  ])('%j in %s is a failure', async (query, fixture, values, detail) => {
    expect(await resultFor(query, `prembly/${fixture}`, values)).toEqual({ kind: 'failed', detail });
  });

  test("any of a taxpayer's numbers may be the one requested", async () => {
    const jtb = { idType: 'TIN', number: '1000000001', level: 'basic' } as const;
    const result = await resultFor(jtb, 'prembly/tin.found.1', { data: { jittin: '1000000001' } });
    expect(result).toMatchObject({ kind: 'found', record: { tin: '1000000001', tin_format: 'JTB' } });
  });
});

test('without a response code, a status that is not true is a failure', async () => {
  const query = { idType: 'NUBAN', number: PREMBLY_NUMBERS.NUBAN, level: 'basic', bankCode: '214' } as const;
  for (const status of [false, 'true', null]) {
    const result = await resultFor(query, 'prembly/account.found', { status });
    expect(result).toEqual({ kind: 'failed', detail: 'code-unknown' });
  }
});

test('a failure that Prembly reports as charged may be billed', async () => {
  const query = { idType: 'TIN', number: PREMBLY_NUMBERS.taxId, level: 'basic' } as const;
  const result = await resultFor(query, 'prembly/business-tax.found', { response_code: '07' });
  expect(result).toEqual({ kind: 'failed', detail: 'blocked', maybeBilled: true });
});

describe('each documented error has the right result:', () => {
  test.each([
    ['not found, in a 200', PREMBLY_ERRORS.notFound, { kind: 'not-found', detail: 'code-01' }],
    [
      'source down, in a 200 with status true',
      PREMBLY_ERRORS.sourceDown,
      { kind: 'unreachable', detail: 'code-02' },
    ],
    ['wallet empty', PREMBLY_ERRORS.walletEmpty, { kind: 'unreachable', detail: 'provider-funds' }],
    ['blocked', PREMBLY_ERRORS.blocked, { kind: 'failed', detail: 'blocked' }],
    ['an undocumented code', PREMBLY_ERRORS.undocumented, { kind: 'failed', detail: 'code-42' }],
    ['a map of field errors', PREMBLY_ERRORS.fieldErrors, { kind: 'failed', detail: 'http-400' }],
    ['403', PREMBLY_ERRORS.forbidden, { kind: 'unreachable', detail: 'credentials-refused' }],
    ['429', PREMBLY_ERRORS.rateLimited, { kind: 'unreachable', detail: 'rate-limited' }],
    ['502 in HTML', PREMBLY_ERRORS.gateway, { kind: 'unreachable', detail: 'http-502', maybeBilled: true }],
  ])('%s', async (_, number, outcome) => {
    expect(await ask(prembly, 'BVN', number)).toEqual(outcome);
  });

  test.each([
    [404, { kind: 'not-found', detail: 'code-01' }],
    [400, { kind: 'not-found', detail: 'code-01' }],
  ])('the code for no record with the status %i', async (status, outcome) => {
    const server = await startDouble(() => ({ status, body: bodyOf('prembly/any.not-found') }));
    const provider = withSecret({ apiKey: 'key', baseUrl: server.baseUrl });
    for (const [idType, number] of Object.entries({ BVN: PREMBLY_NUMBERS.BVN, TIN: PREMBLY_NUMBERS.TIN }))
      expect(await ask(provider, idType as IdType, number)).toEqual(outcome);
    await server.stop();
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
  ])('a secret with %s counts as not configured', async (_, secret) => {
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
