import { describe, expect, test } from '@jest/globals';
import { number, organisation, post, registryCalls } from '../support/service.ts';

/** Numbers that are found: the documented fields, one charge and one look-up. */

const customer = await organisation({ credits: 1000 });

const BASIC = 'nin firstname lastname middlename phone gender birthdate photo residence'.split(' ');
const PREMIUM = [
  ...BASIC,
  ...'title email profession marital_status employment_status birth_state birth_country'.split(' '),
  ...'state_of_origin lga_of_origin nspokenlang religion next_of_kin signature tracking_id'.split(' '),
];
const BVN_BASIC = 'bvn firstname lastname middlename birthdate gender phone photo'.split(' ');
const BVN_PREMIUM = [
  ...BVN_BASIC,
  ...'title email nationality marital_status residential_address state_of_origin lga_of_origin'.split(' '),
  ...'state_of_residence lga_of_residence name_on_card nin phone_number2 registration_date'.split(' '),
  ...'enrollment_bank enrollment_branch level_of_account watch_listed'.split(' '),
];
const CAC_BASIC = [
  ...'companyName rcNumber status registrationDate companyType classification headOfficeAddress'.split(' '),
  ...'branchAddress city lga state companyEmail natureOfBusiness shareCapital'.split(' '),
  ...'shareCapitalInWords affiliates directors'.split(' '),
];
const TIN = 'tin tin_format name tax_office registration_date business_type rc_number email phone'.split(' ');
const NUBAN = 'account_number account_name bank_code bank_name currency'.split(' ');

/** ID type, route, alias of `id_number`, a number, and all fields of `data`. */
const DEDICATED: readonly (readonly [string, string, string, string, string[]])[] = [
  ['NIN', 'nin-basic', 'nin', number(), BASIC],
  ['NIN', 'nin-premium', 'nin', number(), PREMIUM],
  ['BVN', 'bvn-basic', 'bvn', number(), BVN_BASIC],
  ['BVN', 'bvn-premium', 'bvn', number(), BVN_PREMIUM],
  ['CAC', 'cac-basic', 'rc_number', 'RC7654321', CAC_BASIC],
  ['CAC', 'cac-premium', 'rc_number', 'RC7654321', [...CAC_BASIC, 'affiliatesData']],
  ['TIN', 'tin-basic', 'tin', '76543210-0001', TIN],
  ['NUBAN', 'nuban-basic', 'nuban', '7654321001', NUBAN],
];

describe.each(DEDICATED)('%s on %s', (idType, route, alias, id, fields) => {
  test('returns the documented record for all path spellings and both names of the number, for one credit each', async () => {
    const before = (await customer.balance()).available;
    const paths = [`/v1/ng/${route}`, `/v1/ng/${route}/`, `/api/v1/ng/${route}`, `/api/v1/ng/${route}/`];
    const bodies = [{ id_number: id }, { [alias]: id }, { id_number: id, [alias]: id }, { [alias]: id }];

    for (const [index, path] of paths.entries()) {
      const response = await post(path, bodies[index], { key: customer.live });

      expect([response.status, response.json?.code]).toEqual([200, `${idType}_VERIFIED`]);
      expect(response.json).toMatchObject({ success: true, verification_type: idType });
      expect(response.json?.summary).toEqual({
        verified: true,
        verification_type: idType,
        provider: 'Sandbox',
        confidence_score: 1,
      });
      expect(response.text).toContain('"confidence_score":1.0');
      expect(Object.keys(response.json?.data ?? {}).sort()).toEqual([...fields].sort());
      expect(Object.values(response.json?.data ?? {})[0] ?? id).toBeTruthy();
      expect(response.headers.get('x-credits-charged')).toBe('1');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(registryCalls(response.json?.meta.request_id ?? '')).toBe(1);
    }
    expect((await customer.balance()).available).toBe(before - 4);
  });
});

const GATEWAY: readonly (readonly [string, string, string, string[]])[] = [
  ['NIN', 'basic', number(), BASIC],
  ['NIN', 'advanced', number(), PREMIUM],
  ['NIN', 'advance', number(), PREMIUM],
  ['BVN', 'basic', number(), BVN_BASIC],
  ['BVN', 'advanced', number(), BVN_PREMIUM],
  ['CAC', 'basic', 'RC1234567', CAC_BASIC],
  ['CAC', 'advanced', 'RC1234567', [...CAC_BASIC, 'affiliatesData']],
  ['TIN', 'basic', '12345678-0001', TIN],
  ['NUBAN', 'basic', '7654321001', NUBAN],
];

describe('the unified gateway', () => {
  test.each(GATEWAY)('returns %s at level %s', async (idType, level, id, fields) => {
    const body = { country: 'NG', id_type: idType, level, params: { id_number: id } };
    const response = await post('/v1/identities/verify', body, { key: customer.live });

    expect([response.status, response.json?.code]).toEqual([200, `${idType}_VERIFIED`]);
    expect(Object.keys(response.json?.data ?? {}).sort()).toEqual([...fields].sort());
    expect(response.headers.get('x-credits-charged')).toBe('1');
  });

  test('uses level basic and method identity by default', async () => {
    const body = { country: 'NG', id_type: 'NIN', params: { id_number: number() } };
    const response = await post('/v1/identities/verify', body, { key: customer.live });

    expect(Object.keys(response.json?.data ?? {}).sort()).toEqual([...BASIC].sort());
  });

  test('for a biometric request, neither returns a record without a photo nor charges for it', async () => {
    const id = number('0206');
    const verify = (method: string) =>
      post(
        '/v1/identities/verify',
        { country: 'NG', id_type: 'NIN', method, level: 'advanced', params: { id_number: id } },
        { key: customer.live },
      );

    const identity = await verify('identity');
    const biometric = await verify('biometric');

    expect(identity.json?.data).toMatchObject({ photo: '' });
    expect([biometric.status, biometric.json?.code]).toEqual([400, 'VERIFICATION_FAILED']);
    expect(biometric.headers.get('x-credits-charged')).toBe('0');
  });
});

describe('records', () => {
  test('NIN Premium masks every field of the next of kin', async () => {
    const response = await post('/v1/ng/nin-premium', { nin: number() }, { key: customer.live });
    const masked = Object.values((response.json?.data?.['next_of_kin'] ?? {}) as Record<string, string>);

    expect(masked).toHaveLength(9);
    expect(new Set(masked)).toEqual(new Set(['****']));
  });

  test('a CAC record has several directors, and the derived shareholdings add up to 100%', async () => {
    const response = await post('/v1/ng/cac-premium', { rc_number: 'RC7654321' }, { key: customer.live });
    const data = response.json?.data as {
      directors: unknown[];
      affiliatesData: { shareholdingPercentage: number | null; shareholdingPercentageDerived: boolean }[];
    };
    const derived = data.affiliatesData.filter((row) => row.shareholdingPercentageDerived);
    const sum = derived.reduce(
      (total, row) => total + Math.round((row.shareholdingPercentage ?? 0) * 100),
      0,
    );

    expect(data.directors.length).toBeGreaterThan(1);
    expect(derived.length).toBeGreaterThan(1);
    expect(sum).toBe(10_000);
  });

  test('NUBAN names the bank of a valid code, and warns about a wrong check digit', async () => {
    const verify = (id: string, bankCode: string) =>
      post('/v1/ng/nuban-basic', { id_number: id, bank_code: bankCode }, { key: customer.live });

    // 058 and the serial 012345678 have the check digit 5. The other number is that of a wallet account, and is derived
    // from a phone number.
    const good = await verify('0123456785', '058');
    const odd = await verify('8000000002', '50211');

    expect(good.json?.data).toMatchObject({ bank_code: '058', bank_name: expect.stringMatching(/Guaranty/) });
    expect(good.json?.message).toBe('NUBAN verified.');
    expect(odd.status).toBe(200);
    expect(odd.json?.message).toMatch(/check digit/);
  });

  test('a number returns the same person for live and test keys', async () => {
    const id = number();
    const [one, two] = [
      await post('/v1/ng/nin-basic', { nin: id }, { key: customer.live }),
      await post('/v1/ng/nin-basic', { nin: id }, { key: customer.test }),
    ];

    expect(one.json?.data).toEqual(two.json?.data);
  });

  test('the service waits for a slow registry', async () => {
    const response = await post('/v1/ng/nin-basic', { nin: number('0299') }, { key: customer.live });

    expect(response.status).toBe(200);
  });
});

test('plain HTTP gets 403 HTTPS_REQUIRED before the key is checked', async () => {
  const response = await post(
    '/v1/ng/nin-basic',
    { nin: number() },
    { headers: { 'X-Forwarded-Proto': 'http' } },
  );

  expect([response.status, response.json?.code]).toEqual([403, 'HTTPS_REQUIRED']);
});
