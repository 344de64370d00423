import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistryProvider } from '../../../shared/registries/port.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { readQoreidResult } from '../../../shared/registries/providers/qoreid/result.ts';
import { PORTRAITS } from '../../../shared/registries/sandbox/pictures.ts';
import { ask, recordOf } from '../../support/registries/ask.ts';
import {
  OTHER_NUMBERS,
  QOREID_CREDENTIALS,
  QOREID_ERRORS,
  QOREID_NAMES,
  QOREID_NUMBERS,
  type QoreidDouble,
  startQoreid,
} from '../../support/registries/qoreid-double.ts';

const names = QOREID_NAMES;
let double: QoreidDouble;
let qoreid: RegistryProvider;

function withSecret(credentials: Record<string, string>): RegistryProvider {
  const secret = { ...credentials, baseUrl: double.baseUrl };
  return liveProvider('qoreid', { credentials: async () => secret, allowLocal: true });
}

beforeAll(async () => {
  double = await startQoreid();
});
afterAll(() => double.stop());
beforeEach(() => {
  qoreid = withSecret(QOREID_CREDENTIALS);
});

function tokenRequests(): number {
  return double.requests.filter(({ path }) => path === '/token').length;
}

describe("look-ups that need the holder's names", () => {
  test.each([
    ['NIN', QOREID_NUMBERS.NIN],
    ['BVN', QOREID_NUMBERS.BVN],
    ['NUBAN', OTHER_NUMBERS.NUBAN],
  ] as const)('of a %s send nothing without them', async (idType, number) => {
    const before = double.requests.length;
    expect(await ask(qoreid, idType, number, { bankCode: '058' })).toEqual({
      kind: 'failed',
      detail: 'names-needed',
      excludedFromHealth: true,
    });
    expect(double.requests).toHaveLength(before);
  });

  test.each(['basic', 'premium'] as const)('find the published test NIN at level %s', async (level) => {
    expect(await recordOf(qoreid, 'NIN', QOREID_NUMBERS.NIN, { level, names })).toMatchObject({
      firstname: 'Bunch',
      lastname: 'Dillon',
      phone: '08000000000',
      gender: 'm',
      birthdate: '14-03-1990',
      photo: PORTRAITS.igbo.m,
      residence: { address1: '1 Example Close, Lagos', town: '', lga: '', state: '' },
    });
    expect(double.requests.at(-1)?.json).toEqual(names);
  });

  test.each(['basic', 'premium'] as const)('find the published test BVN at level %s', async (level) => {
    const record = await recordOf(qoreid, 'BVN', QOREID_NUMBERS.BVN, { level, names });
    expect(record).toMatchObject({ firstname: 'Bunch', phone: '08000000000', photo: PORTRAITS.igbo.m });
    expect(record.name_on_card).toBe(level === 'premium' ? 'Bunch Dillon' : '');
    expect(double.requests.at(-1)?.json).toEqual(names);
  });

  test('find an account', async () => {
    const more = { bankCode: '058', names };
    expect(await recordOf(qoreid, 'NUBAN', OTHER_NUMBERS.NUBAN, more)).toMatchObject({
      account_name: 'Bunch Dillon',
      bank_code: '058',
    });
    expect(double.requests.at(-1)?.json).toMatchObject(names);
  });
});

describe('companies at QoreID', () => {
  test.each(['basic', 'premium'] as const)('are found at level %s', async (level) => {
    const company = await recordOf(qoreid, 'CAC', OTHER_NUMBERS.RC, { level });
    expect(company).toMatchObject({
      companyName: 'Example Company',
      rcNumber: OTHER_NUMBERS.RC,
      registrationDate: level === 'basic' ? '07-07-1995' : '14-03-2017',
      affiliates: level === 'basic' ? 3 : 2,
      affiliatesData: [],
    });
    expect(double.requests.at(-1)?.json).toEqual({ regNumber: OTHER_NUMBERS.RC });
  });

  test('are found as a business name if the response does not say otherwise', async () => {
    const company = await recordOf(qoreid, 'CAC', OTHER_NUMBERS.BN, { level: 'basic' });
    expect(company.rcNumber).toBe(OTHER_NUMBERS.BN);
  });

  test('are rejected if the response names a different type of entity', async () => {
    const result = await ask(qoreid, 'CAC', OTHER_NUMBERS.BN);
    expect(result).toEqual({ kind: 'failed', detail: 'other-type' });
  });

  test.each(['LP7000', 'LLP7000'])(
    'are not looked up by the number %s, whose type is not documented',
    async (number) => {
      const before = double.requests.length;
      expect(await ask(qoreid, 'CAC', number)).toEqual({
        kind: 'failed',
        detail: 'type-not-served',
        excludedFromHealth: true,
      });
      expect(double.requests).toHaveLength(before);
    },
  );
});

describe('taxpayers at QoreID', () => {
  test('keep their registration date and have a warning if they are under liquidation', async () => {
    const result = await ask(qoreid, 'TIN', OTHER_NUMBERS.TIN, { level: 'basic' });
    expect(result).toMatchObject({
      kind: 'found',
      record: { name: 'Example Ventures Limited', registration_date: '14-03-2010' },
      warning: 'The registry\'s status for this taxpayer is "Under Liquidation".',
    });
    expect(double.requests.at(-1)).toMatchObject({ method: 'GET', json: {} });
  });

  test('are found in the fields of the other documented product, without a warning', async () => {
    const result = await ask(qoreid, 'TIN', OTHER_NUMBERS.otherTIN, { level: 'basic' });
    expect(result).toMatchObject({
      kind: 'found',
      record: { name: 'Example Limited', tax_office: 'Example' },
    });
    expect(result).not.toHaveProperty('warning');
  });

  test.each([
    ['JTB', OTHER_NUMBERS.JTB, 'Example Limited'],
    ['TAX_ID', OTHER_NUMBERS.taxId, 'EXAMPLE'],
  ])('are found by a number in the format %s', async (tin_format, number, name) => {
    expect(await recordOf(qoreid, 'TIN', number, { level: 'basic' })).toMatchObject({ tin_format, name });
  });

  test('are rejected if the response contains a different number', async () => {
    const body = {
      status: { state: 'complete' },
      tin: { tin: '12345678-0003', jittin: '87654321', companyName: 'X' },
    };
    const query = { idType: 'TIN', level: 'basic', number: OTHER_NUMBERS.TIN, deadlineMs: 0 } as const;
    expect(readQoreidResult(query, body)).toEqual({ kind: 'failed', detail: 'other-number' });
  });

  test.each(['Active', 'ACTIVE', '', 'Since 12345678901'])(
    'have no warning for the status "%s"',
    (status) => {
      const body = {
        status: { state: 'complete' },
        tin: { tin: OTHER_NUMBERS.TIN, companyName: 'X', status },
      };
      const query = { idType: 'TIN', level: 'basic', number: OTHER_NUMBERS.TIN, deadlineMs: 0 } as const;
      expect(readQoreidResult(query, body)).not.toHaveProperty('warning');
    },
  );
});

test.each([
  ['still pending', QOREID_ERRORS.pending, { kind: 'failed', detail: 'pending', maybeBilled: true }],
  ['complete without a record', QOREID_ERRORS.noRecord, { kind: 'failed', detail: 'no-record' }],
  ['400', QOREID_ERRORS.badRequest, { kind: 'failed', detail: 'http-400' }],
  ['400 no record', QOREID_ERRORS.notFound400, { kind: 'not-found', detail: 'http-400' }],
  ['403', QOREID_ERRORS.forbidden, { kind: 'unreachable', detail: 'credentials-refused' }],
  ['404 no record', QOREID_ERRORS.notFound, { kind: 'not-found', detail: 'http-404' }],
  ['404 no such address', QOREID_ERRORS.wrongAddress, { kind: 'failed', detail: 'http-404' }],
  ['422', QOREID_ERRORS.invalid, { kind: 'failed', detail: 'http-422' }],
  ['429', QOREID_ERRORS.rateLimited, { kind: 'unreachable', detail: 'rate-limited' }],
  ['500', QOREID_ERRORS.broken, { kind: 'unreachable', detail: 'http-500', maybeBilled: true }],
  ['503', QOREID_ERRORS.down, { kind: 'unreachable', detail: 'http-503' }],
])('the error %s has the right result', async (_, number, outcome) => {
  expect(await ask(qoreid, 'BVN', number, { names })).toEqual(outcome);
});

test('an unreachable bank (500) has the right result', async () => {
  const result = await ask(qoreid, 'NUBAN', '0000000000', { bankCode: '058', names });
  expect(result).toMatchObject({ kind: 'unreachable', detail: 'http-500' });
});

describe('the token of QoreID', () => {
  const lookUp = () => recordOf(qoreid, 'CAC', OTHER_NUMBERS.RC);

  test('is requested once for ten concurrent look-ups and reused', async () => {
    const before = tokenRequests();
    await Promise.all(Array.from({ length: 10 }, () => lookUp()));
    await lookUp();
    expect(tokenRequests() - before).toBe(1);
  });

  test.each([
    [7_200, 1],
    ['7200', 1],
    ['7200 seconds', 1],
    ['7200s', 1],
    [undefined, 1],
    ['soon', 1],
    [30, 2],
    ['30 seconds', 2],
  ])('with expiresIn %p is requested %i times for two look-ups', async (expiresIn, times) => {
    double.setLifetime(expiresIn);
    const before = tokenRequests();
    await lookUp();
    await lookUp();
    double.setLifetime(7_200);
    expect(tokenRequests() - before).toBe(times);
  });

  test('is replaced once after a 401, and the look-up succeeds', async () => {
    await lookUp();
    double.revoke();
    const before = tokenRequests();
    await lookUp();
    expect(tokenRequests() - before).toBe(1);
  });

  test('is not issued for a wrong secret, and no look-up is sent', async () => {
    const unauthorised = withSecret({ ...QOREID_CREDENTIALS, secret: 'wrong' });
    const before = double.requests.length;
    expect(await ask(unauthorised, 'CAC', OTHER_NUMBERS.RC)).toEqual({
      kind: 'unreachable',
      detail: 'credentials-refused',
      maybeBilled: false,
    });
    expect(double.requests.slice(before).map(({ path }) => path)).toEqual(['/token']);
  });
});
