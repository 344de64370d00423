import { describe, expect, test } from '@jest/globals';
import { get, number, organisation, post, registryCalls } from '../support/service.ts';

/** What a caller gets for a number that is found: the documented fields, one charge, one call to the registry. */

const who = await organisation({ credits: 1000 });

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
const TIN = 'tin name tax_office registration_date business_type rc_number email phone'.split(' ');
const NUBAN = 'account_number account_name bank_code bank_name currency'.split(' ');

/** Route, the second name of the number, a number, and exactly the fields of `data`. */
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
  test('answers the documented record under all four spellings and both names, one credit each', async () => {
    const before = (await who.balance()).available;
    const paths = [`/v1/ng/${route}`, `/v1/ng/${route}/`, `/api/v1/ng/${route}`, `/api/v1/ng/${route}/`];
    const bodies = [{ id_number: id }, { [alias]: id }, { id_number: id, [alias]: id }, { [alias]: id }];

    for (const [place, path] of paths.entries()) {
      const answer = await post(path, bodies[place], { key: who.live });

      expect([answer.status, answer.json?.code]).toEqual([200, `${idType}_VERIFIED`]);
      expect(answer.json).toMatchObject({ success: true, verification_type: idType });
      expect(answer.json?.summary).toEqual({
        verified: true,
        verification_type: idType,
        provider: 'Sandbox',
        confidence_score: 1,
      });
      expect(answer.text).toContain('"confidence_score":1.0');
      expect(Object.keys(answer.json?.data ?? {}).sort()).toEqual([...fields].sort());
      expect(Object.values(answer.json?.data ?? {})[0] ?? id).toBeTruthy();
      expect(answer.headers.get('x-credits-charged')).toBe('1');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(registryCalls(answer.json?.meta.request_id ?? '')).toBe(1);
    }
    expect((await who.balance()).available).toBe(before - 4);
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
];

describe('the unified gateway', () => {
  test.each(GATEWAY)('answers %s at level %s', async (idType, level, id, fields) => {
    const body = { country: 'NG', id_type: idType, level, params: { id_number: id } };
    const answer = await post('/v1/identities/verify', body, { key: who.live });

    expect([answer.status, answer.json?.code]).toEqual([200, `${idType}_VERIFIED`]);
    expect(Object.keys(answer.json?.data ?? {}).sort()).toEqual([...fields].sort());
    expect(answer.headers.get('x-credits-charged')).toBe('1');
  });

  test('takes basic and identity for granted', async () => {
    const body = { country: 'NG', id_type: 'NIN', params: { id_number: number() } };
    const answer = await post('/v1/identities/verify', body, { key: who.live });

    expect(Object.keys(answer.json?.data ?? {}).sort()).toEqual([...BASIC].sort());
  });

  test('refuses a record without a photo to a biometric request, and does not charge it', async () => {
    const id = number('0206');
    const ask = (method: string) =>
      post(
        '/v1/identities/verify',
        { country: 'NG', id_type: 'NIN', method, level: 'advanced', params: { id_number: id } },
        { key: who.live },
      );

    const identity = await ask('identity');
    const biometric = await ask('biometric');

    expect(identity.json?.data).toMatchObject({ photo: '' });
    expect([biometric.status, biometric.json?.code]).toEqual([400, 'VERIFICATION_FAILED']);
    expect(biometric.headers.get('x-credits-charged')).toBe('0');
  });
});

describe('records', () => {
  test('NIN Premium masks every field of the next of kin', async () => {
    const answer = await post('/v1/ng/nin-premium', { nin: number() }, { key: who.live });
    const masked = Object.values((answer.json?.data?.['next_of_kin'] ?? {}) as Record<string, string>);

    expect(masked).toHaveLength(9);
    expect(new Set(masked)).toEqual(new Set(['****']));
  });

  test('a CAC record has several directors, and the derived percentages of its shareholders add up to 100', async () => {
    const answer = await post('/v1/ng/cac-premium', { rc_number: 'RC7654321' }, { key: who.live });
    const data = answer.json?.data as {
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

  test('NUBAN names the bank of a valid code, and warns of a failed check digit without refusing', async () => {
    const ask = (id: string) =>
      post('/v1/ng/nuban-basic', { id_number: id, bank_code: '058' }, { key: who.live });

    // 058 and the serial 012345678 have the check digit 5.
    const good = await ask('0123456785');
    const odd = await ask('0123456784');

    expect(good.json?.data).toMatchObject({ bank_code: '058', bank_name: expect.stringMatching(/Guaranty/) });
    expect(good.json?.message).toBe('NUBAN verified.');
    expect(odd.status).toBe(200);
    expect(odd.json?.message).toMatch(/check digit/);
  });

  test('the same number is the same person every time', async () => {
    const id = number();
    const [one, two] = [
      await post('/v1/ng/nin-basic', { nin: id }, { key: who.live }),
      await post('/v1/ng/nin-basic', { nin: id }, { key: who.test }),
    ];

    expect(one.json?.data).toEqual(two.json?.data);
  });

  test('a slow registry is waited for', async () => {
    const answer = await post('/v1/ng/nin-basic', { nin: number('0299') }, { key: who.live });

    expect(answer.status).toBe(200);
  });
});

describe('addresses', () => {
  test.each(['/', '/v1', '/v2/ng/nin-basic', '/v1/ng/nin-basic/x', '/v1/ng//nin-basic', '/api/ng/nin-basic'])(
    '%s is 404 ROUTE_NOT_FOUND in the envelope',
    async (path) => {
      const answer = await post(path, { nin: number() }, { key: who.live });

      expect([answer.status, answer.json?.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
      expect(answer.json?.meta.request_id).toMatch(/^req_[0-9a-f]{12}$/);
    },
  );

  test.each(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
    '%s on a POST route is 404 without CORS headers',
    async (method) => {
      const answer = await get('/v1/ng/nin-basic', { key: who.live, method });

      expect([answer.status, answer.json?.code]).toEqual([404, 'ROUTE_NOT_FOUND']);
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test('plain HTTP is 403 HTTPS_REQUIRED, before anything else', async () => {
    const answer = await post(
      '/v1/ng/nin-basic',
      { nin: number() },
      { headers: { 'X-Forwarded-Proto': 'http' } },
    );

    expect([answer.status, answer.json?.code]).toEqual([403, 'HTTPS_REQUIRED']);
  });
});
