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
import { startDouble, type TestDouble } from '../../support/registries/double.ts';
import { bodyOf } from '../../support/registries/fixtures.ts';

let double: TestDouble;
let dojah: RegistryProvider;

function withSecret(secret: Record<string, string>): RegistryProvider {
  return liveProvider('dojah', { credentials: async () => secret, allowLocal: true });
}

function lastQuery(): Readonly<Record<string, string>> {
  return Object.fromEntries(double.requests.at(-1)?.query ?? []);
}

beforeAll(async () => {
  double = await startDojah();
  dojah = withSecret({ ...DOJAH_KEYS, baseUrl: double.baseUrl });
});
afterAll(() => double.stop());

describe('each published test number returns a record:', () => {
  test('NIN, at both levels with its residence', async () => {
    for (const level of ['basic', 'premium'] as const) {
      const person = await recordOf(dojah, 'NIN', DOJAH_NUMBERS.NIN, { level });
      expect(person).toMatchObject({
        firstname: 'AMINA',
        middlename: '',
        gender: 'f',
        birthdate: '14-03-1990',
        residence: { state: 'Lagos' },
      });
      expect(person.photo).toMatch(/^\/9j\//);
    }
  });

  test('BVN, basic and premium', async () => {
    const basic = await recordOf(dojah, 'BVN', DOJAH_NUMBERS.BVN, { level: 'basic' });
    expect(basic).toMatchObject({ birthdate: '14-03-1990', phone_number2: '08000000002' });
    expect(basic.photo).toMatch(/^\/9j\//);
    const premium = await recordOf(dojah, 'BVN', DOJAH_NUMBERS.BVN);
    expect(premium).toMatchObject({ watch_listed: 'NO', enrollment_bank: 'EXAMPLE' });
  });

  test('TIN, with a phone number that is a JSON number', async () => {
    expect(await recordOf(dojah, 'TIN', DOJAH_NUMBERS.TIN)).toMatchObject({
      name: 'EXAMPLE LIMITED',
      phone: '08000000001',
    });
  });
});

describe('numbers that are returned as integers without leading zeros are found:', () => {
  test('NIN', async () => {
    expect((await recordOf(dojah, 'NIN', OTHER_NUMBERS.NIN)).nin).toBe(OTHER_NUMBERS.NIN);
  });

  test('account number', async () => {
    const account = await recordOf(dojah, 'NUBAN', OTHER_NUMBERS.NUBAN, { bankCode: '058' });
    expect(account).toMatchObject({
      account_name: 'SPECIMEN AMINA ABENI',
      bank_name: 'Guaranty Trust Bank Plc',
    });
  });

  test('CAC, at both levels', async () => {
    const basic = await recordOf(dojah, 'CAC', OTHER_NUMBERS.CAC, { level: 'basic' });
    expect(basic).toMatchObject({ companyName: 'EXAMPLE ENTERPRISES', natureOfBusiness: '' });
    const premium = await recordOf(dojah, 'CAC', OTHER_NUMBERS.CAC);
    expect(premium).toMatchObject({ companyName: 'EXAMPLE GRILLS', shareCapital: 1_000_000, affiliates: 2 });
  });
});

describe('companies of other types:', () => {
  test.each(['basic', 'premium'] as const)(
    'BN7000 is found, and RC7000 is not, at level %s',
    async (level) => {
      expect((await recordOf(dojah, 'CAC', 'BN7000', { level })).rcNumber).toBe('BN7000');
      expect(await ask(dojah, 'CAC', 'RC7000', { level })).toEqual({ kind: 'failed', detail: 'other-type' });
    },
  );

  test.each([
    ['RC', { company_type: 'COMPANY' }, { type: 'co', class: 'premium' }],
    ['BN', { company_type: 'BUSINESS_NAME' }, { type: 'bn', class: 'premium' }],
    ['IT', { company_type: 'INCORPORATED_TRUSTEES' }, { type: 'it', class: 'premium' }],
    ['LP', { company_type: 'LIMITED_PARTNERSHIP' }, undefined],
    ['LLP', { company_type: 'LIMITED_LIABILITY_PARTNERSHIP' }, undefined],
  ])("the type %s is sent under the product's name for it", async (type, basic, premium) => {
    await ask(dojah, 'CAC', `${type}55`, { level: 'basic' });
    expect(lastQuery()).toEqual({ rc_number: '55', ...basic });
    const before = double.requests.length;
    const result = await ask(dojah, 'CAC', `${type}55`, { level: 'premium' });
    if (premium) {
      expect(lastQuery()).toEqual({ rc: '55', ...premium });
    } else {
      // The advance product documents no value for partnerships, so the next provider is called.
      expect(result).toEqual({ kind: 'failed', detail: 'type-not-served', excludedFromHealth: true });
      expect(double.requests).toHaveLength(before);
    }
  });
});

describe('a response about a different number is not returned as a record:', () => {
  test.each([
    ['NIN', DOJAH_NUMBERS.NIN, 'dojah/nin-advanced.found', { nin: '70123456780' }],
    ['NIN', DOJAH_NUMBERS.NIN, 'dojah/nin-advanced.found', { nin: '' }],
    ['BVN', DOJAH_NUMBERS.BVN, 'dojah/bvn-advanced.found.2', { bvn: '22222222220' }],
    ['TIN', DOJAH_NUMBERS.TIN, 'dojah/tin.found.1', { Search: '18609323-0002', FIRSTIN: '18609323-0002' }],
    ['TIN', DOJAH_NUMBERS.TIN, 'dojah/tin.found.2', { search: '', firstin: '', jittin: 'N/A' }],
    ['CAC', 'BN1000001', 'dojah/cac-advanced.found', { RC_Number: '1000002' }],
  ] as const)('%s %s in %s', async (idType, number, fixture, entity) => {
    const server = await startDouble(() => ({ status: 200, body: bodyOf(fixture, { entity }) }));
    const result = await ask(withSecret({ ...DOJAH_KEYS, baseUrl: server.baseUrl }), idType, number);
    expect(result).toEqual({ kind: 'failed', detail: 'other-number' });
    await server.stop();
  });
});

describe('a message that the registry has no such number is not found, whatever the status:', () => {
  const { NIN, BVN, TIN } = DOJAH_NUMBERS;
  test.each([
    ['BVN', BVN, 400, { error: 'BVN not found' }, 'not-found'],
    ['NIN', NIN, 400, { error: 'Wrong NIN Inputted' }, 'not-found'],
    ['BVN', BVN, 424, { error: 'bvn not found' }, 'not-found'],
    ['TIN', TIN, 400, { error: 'TIN does not exist' }, 'not-found'],
    ['CAC', 'RC1000001', 400, { status: false, message: 'No record found', reference_id: 'R' }, 'not-found'],
    ['CAC', 'RC1000001', 200, { error: 'Company details not found' }, 'not-found'],
    ['NUBAN', '0123456789', 400, { error: 'Could not resolve account name' }, 'not-found'],
    ['BVN', BVN, 400, { error: 'bvn is not valid' }, 'failed'],
    ['BVN', BVN, 400, { error: 'BVN service not found' }, 'failed'],
    ['BVN', BVN, 402, { error: 'account not found' }, 'unreachable'],
    ['BVN', BVN, 401, { error: 'Business not found' }, 'unreachable'],
    ['BVN', BVN, 424, { error: 'Service temporarily unavailable' }, 'unreachable'],
  ] as const)('%s %s: status %i with %j', async (idType, number, status, body, kind) => {
    const server = await startDouble(() => ({ status, body }));
    const provider = withSecret({ ...DOJAH_KEYS, baseUrl: server.baseUrl });
    const result = await ask(provider, idType, number, { bankCode: '058' });
    expect(result.kind).toBe(kind);
    await server.stop();
  });
});

test.each(['Unknown bank code: 058', 'Invalid bank code', 'Bank not supported'])(
  'a bank that Dojah does not serve permits another provider: %s',
  async (error) => {
    const server = await startDouble(() => ({ status: 400, body: { error } }));
    const provider = withSecret({ ...DOJAH_KEYS, baseUrl: server.baseUrl });
    const result = await ask(provider, 'NUBAN', '0123456789', { bankCode: '058' });
    expect(result).toEqual({ kind: 'failed', detail: 'bank-not-served', excludedFromHealth: true });
    expect(await ask(provider, 'BVN', DOJAH_NUMBERS.BVN)).toEqual({ kind: 'failed', detail: 'http-400' });
    await server.stop();
  },
);

test('a 200 with a string instead of an entity is a failure', async () => {
  const server = await startDouble(() => ({ status: 200, body: { entity: 'Service is being worked on' } }));
  const result = await ask(withSecret({ ...DOJAH_KEYS, baseUrl: server.baseUrl }), 'BVN', DOJAH_NUMBERS.BVN);
  expect(result).toEqual({ kind: 'failed', detail: 'unexpected-shape:entity' });
  await server.stop();
});

describe('each documented error has the right result:', () => {
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
