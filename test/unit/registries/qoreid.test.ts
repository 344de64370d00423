import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegistryProvider } from '../../../shared/registries/port.ts';
import { liveProvider } from '../../../shared/registries/providers/make-provider.ts';
import { ask, recordOf } from '../../support/registries/ask.ts';
import {
  MATCH_ONLY,
  OTHER_NUMBERS,
  QOREID_CREDENTIALS,
  QOREID_ERRORS,
  QOREID_NUMBERS,
  startQoreid,
} from '../../support/registries/qoreid-double.ts';

let double: Awaited<ReturnType<typeof startQoreid>>;
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

describe('records, under a contract for look-ups without names', () => {
  test('the published test NIN, whether names match or not', async () => {
    for (const level of ['basic', 'premium'] as const) {
      expect(await recordOf(qoreid, 'NIN', QOREID_NUMBERS.NIN, { level })).toMatchObject({
        firstname: 'Bunch',
        lastname: 'Dillon',
        phone: '08000000000',
        residence: { town: 'Magodo' },
      });
    }
  });

  test.each([QOREID_NUMBERS.BVN, QOREID_NUMBERS.otherBVN])('the published test BVN %s', async (bvn) => {
    const record = await recordOf(qoreid, 'BVN', bvn);
    expect(record).toMatchObject({ birthdate: '07-07-1995', photo: '', watch_listed: 'NO' });
  });

  test('CAC, with an integer as number and a count of affiliates', async () => {
    const company = await recordOf(qoreid, 'CAC', OTHER_NUMBERS.CAC);
    expect(company).toMatchObject({ affiliates: 4, affiliatesData: [], registrationDate: '17-04-2017' });
  });

  test('TIN, in the newer shape', async () => {
    const record = await recordOf(qoreid, 'TIN', OTHER_NUMBERS.TIN);
    expect(record).toMatchObject({ name: 'Test Company', business_type: 'COMPANY' });
  });

  test('NUBAN', async () => {
    const account = await recordOf(qoreid, 'NUBAN', OTHER_NUMBERS.NUBAN, { bankCode: '058' });
    expect(account.account_name).toBe('DILLON BUNCH');
  });
});

test('a look-up fails as needs-names under a contract that requires names', async () => {
  const result = await ask(withSecret(MATCH_ONLY), 'NIN', QOREID_NUMBERS.NIN);
  expect(result).toEqual({ kind: 'failed', detail: 'needs-names' });
});

test.each([
  ['still pending', QOREID_ERRORS.pending, { kind: 'failed', detail: 'pending', maybeBilled: true }],
  ['complete without a record', QOREID_ERRORS.noRecord, { kind: 'failed', detail: 'no-record' }],
  ['400', QOREID_ERRORS.badRequest, { kind: 'failed', detail: 'http-400' }],
  ['403', QOREID_ERRORS.forbidden, { kind: 'unreachable', detail: 'credentials-refused' }],
  ['404 no record', QOREID_ERRORS.notFound, { kind: 'not-found', detail: 'http-404' }],
  ['404 no such address', QOREID_ERRORS.wrongAddress, { kind: 'failed', detail: 'http-404' }],
  ['422', QOREID_ERRORS.invalid, { kind: 'failed', detail: 'http-422' }],
  ['429', QOREID_ERRORS.rateLimited, { kind: 'unreachable', detail: 'rate-limited' }],
  ['500', QOREID_ERRORS.broken, { kind: 'unreachable', detail: 'http-500', maybeBilled: true }],
  ['503', QOREID_ERRORS.down, { kind: 'unreachable', detail: 'http-503' }],
])('%s gives the right result', async (_, number, outcome) => {
  expect(await ask(qoreid, 'BVN', number)).toEqual(outcome);
});

test('an unreachable bank, 500', async () => {
  const result = await ask(qoreid, 'NUBAN', '0000000000', { bankCode: '058' });
  expect(result).toMatchObject({ kind: 'unreachable', detail: 'http-500' });
});

describe('the token', () => {
  test('is requested once for ten concurrent look-ups and reused', async () => {
    const before = tokenRequests();
    await Promise.all(Array.from({ length: 10 }, () => ask(qoreid, 'NIN', QOREID_NUMBERS.NIN)));
    await ask(qoreid, 'NIN', QOREID_NUMBERS.NIN);
    expect(tokenRequests() - before).toBe(1);
  });

  test('is replaced once after a 401, and the look-up succeeds', async () => {
    await ask(qoreid, 'NIN', QOREID_NUMBERS.NIN);
    double.revoke();
    const before = tokenRequests();
    await recordOf(qoreid, 'NIN', QOREID_NUMBERS.NIN);
    expect(tokenRequests() - before).toBe(1);
  });

  test('is rejected for a wrong secret, and no look-up is sent', async () => {
    const unauthorised = withSecret({ ...QOREID_CREDENTIALS, secret: 'wrong' });
    const before = double.requests.length;
    expect(await ask(unauthorised, 'NIN', QOREID_NUMBERS.NIN)).toEqual({
      kind: 'unreachable',
      detail: 'credentials-refused',
      maybeBilled: false,
    });
    expect(double.requests.slice(before).map(({ path }) => path)).toEqual(['/token']);
  });
});
