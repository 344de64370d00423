import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RegistryProvider } from '../../../shared/registries/port.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { ask, recordOf } from '../../support/registries/ask.ts';
import type { TestDouble } from '../../support/registries/double.ts';
import {
  OTHER_NUMBERS,
  startYouverify,
  YOUVERIFY_ERRORS,
  YOUVERIFY_KEY,
  YOUVERIFY_NUMBERS,
} from '../../support/registries/youverify-double.ts';

const consent = 'consent-2026-0042';
let double: TestDouble;
let youverify: RegistryProvider;

beforeAll(async () => {
  double = await startYouverify();
  const secret = { apiKey: YOUVERIFY_KEY, baseUrl: double.baseUrl };
  youverify = liveProvider('youverify', { credentials: async () => secret, allowLocal: true });
});
afterAll(() => double.stop());

describe('records at Youverify', () => {
  test('are found for the published test NIN, with the level in the request', async () => {
    const record = await recordOf(youverify, 'NIN', YOUVERIFY_NUMBERS.NIN, { consent });
    expect(record).toMatchObject({
      firstname: 'Amina',
      gender: 'f',
      birthdate: '14-03-1990',
      phone: '08000000001',
      residence: { address1: '1 Example Close', lga: 'Example' },
      religion: 'islam',
      photo: PORTRAITS.igbo.f,
    });
    expect(record.signature).toMatch(/^\/9j\//);
    expect(double.requests.at(-1)?.json).toEqual({
      id: YOUVERIFY_NUMBERS.NIN,
      isSubjectConsent: true,
      premiumNin: true,
    });
    await recordOf(youverify, 'NIN', YOUVERIFY_NUMBERS.NIN, { consent, level: 'basic' });
    expect(double.requests.at(-1)?.json).toMatchObject({ premiumNin: false });
  });

  test('are found for a BVN, in the same fields as for a NIN', async () => {
    const record = await recordOf(youverify, 'BVN', OTHER_NUMBERS.BVN, { consent });
    expect(record).toMatchObject({ lastname: 'Specimen', state_of_residence: 'Ekiti' });
    expect(double.requests.at(-1)?.json).toEqual({
      id: OTHER_NUMBERS.BVN,
      isSubjectConsent: true,
      premiumBVN: true,
    });
  });

  test('are found for a TIN, with both documented names of the consent field', async () => {
    const record = await recordOf(youverify, 'TIN', OTHER_NUMBERS.TIN, { consent });
    expect(record).toMatchObject({ name: 'EXAMPLE LTD', rc_number: 'RC00000000' });
    expect(double.requests.at(-1)?.json).toEqual({
      tin: OTHER_NUMBERS.TIN,
      isSubjectConsent: true,
      isConsent: true,
    });
  });

  test('are found for a TIN with 10 digits, which is in a different field', async () => {
    const record = await recordOf(youverify, 'TIN', OTHER_NUMBERS.JTB, { consent });
    expect(record).toMatchObject({ name: 'EXAMPLE LTD', tin_format: 'JTB' });
  });
});

test.each([
  ['NIN', YOUVERIFY_NUMBERS.NIN],
  ['BVN', OTHER_NUMBERS.BVN],
  ['TIN', OTHER_NUMBERS.TIN],
] as const)('nothing is sent for a %s if the request lacks consent', async (idType, number) => {
  const before = double.requests.length;
  expect(await ask(youverify, idType, number)).toEqual({
    kind: 'failed',
    detail: 'consent-needed',
    excludedFromHealth: true,
  });
  expect(double.requests).toHaveLength(before);
});

test('a TIN without a record is not found, although the response repeats the number', async () => {
  const result = await ask(youverify, 'TIN', OTHER_NUMBERS.unknownTIN, { consent });
  expect(result).toEqual({ kind: 'not-found', detail: 'status-not-found' });
});

test.each([
  ['not found, in a 200', YOUVERIFY_ERRORS.notFound, { kind: 'not-found', detail: 'status-not-found' }],
  ['an unknown status', YOUVERIFY_ERRORS.oddStatus, { kind: 'failed', detail: 'status-unknown' }],
  ['404', YOUVERIFY_ERRORS.noResource, { kind: 'failed', detail: 'http-404' }],
  ['400', YOUVERIFY_ERRORS.badRequest, { kind: 'failed', detail: 'http-400' }],
  ['402', YOUVERIFY_ERRORS.funds, { kind: 'unreachable', detail: 'provider-funds' }],
  ['403', YOUVERIFY_ERRORS.forbidden, { kind: 'unreachable', detail: 'credentials-refused' }],
  ['429', YOUVERIFY_ERRORS.rateLimited, { kind: 'unreachable', detail: 'rate-limited' }],
  ['500', YOUVERIFY_ERRORS.broken, { kind: 'unreachable', detail: 'http-500', maybeBilled: true }],
  ['504', YOUVERIFY_ERRORS.gatewayTimeout, { kind: 'timeout', detail: 'http-504', maybeBilled: true }],
])('the error %s has the right result', async (_, number, outcome) => {
  expect(await ask(youverify, 'BVN', number, { consent })).toEqual(outcome);
});

test('401 makes the provider unreachable', async () => {
  const secret = { apiKey: 'wrong', baseUrl: double.baseUrl };
  const unauthorised = liveProvider('youverify', { credentials: async () => secret, allowLocal: true });
  const result = await ask(unauthorised, 'NIN', YOUVERIFY_NUMBERS.NIN, { consent });
  expect(result).toEqual({ kind: 'unreachable', detail: 'credentials-refused' });
});

test('companies and accounts are not served', async () => {
  expect(await ask(youverify, 'CAC', 'RC1', { consent })).toEqual({
    kind: 'failed',
    detail: 'not-served',
    excludedFromHealth: true,
  });
  expect(youverify.idTypes).toEqual({ NIN: ['basic', 'premium'], BVN: ['basic', 'premium'], TIN: ['basic'] });
});
