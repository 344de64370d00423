import { describe, expect, test } from '@jest/globals';
import { get, number, organisation, post, registryCalls, type TestOrganisation } from '../support/service.ts';

/** `match` and `match_only` over HTTP (contract M1 to M4). Every response is also compared with the API document. */

type Json = Readonly<Record<string, unknown>>;

const FIELDS = ['firstname', 'lastname', 'middlename', 'birthdate', 'gender', 'phone'] as const;
// Invented names. cspell:ignore Zzyzxa Zzyzxb Qwertuyop Xylographa
const OTHER = {
  firstname: 'Zzyzxa',
  lastname: 'Qwertuyop',
  middlename: 'Xylographa',
  birthdate: '1931-12-30',
  gender: 'female',
  phone: '+2349988776655',
};

/** Returns the details in a record that a caller can also claim. */
function detailsOf(record: Json): Json {
  return Object.fromEntries(FIELDS.flatMap((field) => (record[field] ? [[field, record[field]]] : [])));
}

/** Returns every string in a record, at any depth, except short ones that other strings may contain by chance. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return /^(?:.{0,3}|\d{4})$/.test(value) ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

const gateway = (idType: string, level: string) => (id: string, more: object) => ({
  country: 'NG',
  id_type: idType,
  level,
  params: { id_number: id },
  ...more,
});
const dedicated = (id: string, more: object) => ({ id_number: id, ...more });
const ROUTES = [
  ['nin-basic', '/v1/ng/nin-basic', 'nin', dedicated],
  ['nin-premium', '/v1/ng/nin-premium', 'nin', dedicated],
  ['bvn-basic', '/v1/ng/bvn-basic', 'bvn', dedicated],
  ['bvn-premium', '/v1/ng/bvn-premium', 'bvn', dedicated],
  ['the gateway, NIN Basic', '/v1/identities/verify', 'nin', gateway('NIN', 'basic')],
  ['the gateway, BVN Premium', '/v1/identities/verify', 'bvn', gateway('BVN', 'advanced')],
] as const;

describe.each(ROUTES)('%s', (name, path, numberField, bodyOf) => {
  test('compares the details with the record, returns the same data as without them, and charges once', async () => {
    const who = await organisation({ credits: 10 });
    const id = number();
    const send = (more: object) => post(path, bodyOf(id, more), { key: who.live });
    const plain = await send({});
    const data = plain.json?.data ?? {};
    const same = await send({ match: detailsOf(data) });
    const other = await send({ match: OTHER });

    expect(plain.json).not.toHaveProperty('match');
    for (const [response, overall] of [
      [same, 'exact'],
      [other, 'none'],
    ] as const) {
      expect(response.status).toBe(200);
      expect(response.json?.data).toEqual(data);
      expect(response.json?.match).toMatchObject({ overall, algorithm: expect.stringMatching(/^ng-match-/) });
      expect(response.json?.summary.confidence_score).toBe(response.json?.match?.score);
      expect(response.json?.summary.verified).toBe(true);
      expect(response.headers.get('x-credits-charged')).toBe('1');
      expect(registryCalls(response.json?.meta.request_id ?? '')).toBe(1);
    }
    expect(same.text).toContain('"confidence_score":1.0');
    expect(Object.keys(same.json?.match?.fields ?? {})).toEqual(Object.keys(detailsOf(data)));
    expect(Object.keys(other.json?.match?.fields ?? {})).toEqual([...FIELDS]);
    expect((await who.balance()).available).toBe(7);
  });

  test('with match_only, returns no value from the registry in the body or the headers', async () => {
    const who = await organisation({ credits: 10 });
    const lookUp = async (id: string) => {
      const { json } = await post(path, bodyOf(id, {}), { key: who.live });
      return { id, json, canaries: textsOf(json?.data).filter((text) => text !== id) };
    };
    let found = await lookUp(number());
    // Some records contain few strings, for example because there is no middle name.
    for (let more = 0; more < 5 && found.canaries.length <= 4; more += 1) found = await lookUp(number());
    const { id, json, canaries } = found;
    expect(canaries.length).toBeGreaterThan(4);
    // The surname matches, and most other details do not. No result may reveal what the registry has.
    const match = { ...OTHER, lastname: json?.data?.['lastname'] };
    const only = await post(path, bodyOf(id, { match, match_only: true }), { key: who.live });

    expect([only.status, only.json?.data]).toEqual([200, { [numberField]: id }]);
    expect(only.json?.match?.fields.lastname?.result).toBe('exact');
    const received = `${only.text}\n${JSON.stringify([...only.headers])}`;
    for (const text of [...canaries, ...textsOf(OTHER).filter((one) => one !== 'female')])
      expect(received).not.toContain(text);
    expect(only.headers.get('x-credits-charged')).toBe('1');
  });

  test.each(['match:*', `match:${numberField}-${/premium$/i.test(name) ? 'premium' : 'basic'}`])(
    'with a key that has only the scope %s, requires match_only, and charges nothing without it',
    async (only) => {
      const who = await organisation({ credits: 10, scopes: [only] });
      const [id, match] = [number(), OTHER];
      const allowed = await post(path, bodyOf(id, { match, match_only: true }), { key: who.live });
      expect([allowed.status, allowed.json?.data]).toEqual([200, { [numberField]: id }]);

      for (const more of [{}, { match }, { match, match_only: false }]) {
        const rejected = await post(path, bodyOf(id, more), { key: who.live });
        expect([rejected.status, rejected.json?.code]).toEqual([401, 'SUBSCRIPTION_REQUIRED']);
        expect(rejected.json?.error).toMatchObject({
          reason: 'missing_scope',
          hint: expect.stringContaining('"match_only": true'),
        });
        expect(registryCalls(rejected.json?.meta.request_id ?? '')).toBe(0);
      }
      expect((await who.balance()).available).toBe(9);
    },
  );
});

test('a key for matches gets no slip, wallet data or log entry', async () => {
  const who = await organisation({ scopes: ['match:*'] });
  const key = who.live;
  for (const response of [
    await post('/v1/ng/nin/slip/download', { nin: number(), slip_type: 'regular' }, { key }),
    await get('/v1/wallet/balance', { key }),
    await get('/v1/wallet/transactions', { key }),
    await get('/v1/verifications', { key }),
    await post('/v1/ng/cac-basic', { id_number: 'RC7000' }, { key }),
  ]) {
    expect(response.status).toBe(401);
    expect(response.json?.error).toMatchObject({ reason: 'missing_scope', hint: 'Use a key that has it.' });
  }
});

test('a record without a photo matches with match_only', async () => {
  const who = await organisation({ credits: 10 });
  const id = number('0206');
  const { json } = await post('/v1/ng/nin-basic', { nin: id }, { key: who.live });
  expect(json?.data?.['photo']).toBe('');
  const body = { nin: id, match: detailsOf(json?.data ?? {}), match_only: true };
  const only = await post('/v1/ng/nin-basic', body, { key: who.live });
  expect([only.json?.match?.overall, only.json?.data]).toEqual(['exact', { nin: id }]);
});

test.each(['0404', '0400', '0503'])(
  'a number that ends in %s returns no match, and is not charged',
  async (ending) => {
    const who = await organisation({ credits: 10 });
    const body = { nin: number(ending), match: OTHER, match_only: true };
    const response = await post('/v1/ng/nin-basic', body, { key: who.live });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.json).toMatchObject({ success: false, data: null, summary: { confidence_score: 0 } });
    expect(response.json).not.toHaveProperty('match');
    expect(response.headers.get('x-credits-charged')).toBe('0');
    expect((await who.balance()).available).toBe(10);
  },
);

describe('under one Idempotency-Key', () => {
  const id = number();
  const send = (who: TestOrganisation, key: string, more: object) =>
    post('/v1/ng/bvn-basic', { bvn: id, ...more }, { key: who.live, headers: { 'Idempotency-Key': key } });

  test('a request with the same details is a free replay, with the match', async () => {
    const who = await organisation({ credits: 10 });
    const first = await send(who, 'one-key-of-a-match', { match: OTHER, match_only: true });
    const second = await send(who, 'one-key-of-a-match', { match: OTHER, match_only: true });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect([second.json?.match, second.json?.data]).toEqual([first.json?.match, first.json?.data]);
    expect((await who.balance()).available).toBe(9);
  });

  test.each<[string, object]>([
    ['other details', { match: { ...OTHER, firstname: 'Zzyzxb' }, match_only: true }],
    ['no details', {}],
    ['the whole record', { match: OTHER }],
  ])('%s: rejected, because the key belongs to another request', async (name, more) => {
    const who = await organisation({ credits: 10 });
    const key = `key of ${name}`;
    await send(who, key, { match: OTHER, match_only: true });
    const response = await send(who, key, more);
    expect([response.status, response.json?.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await who.balance()).available).toBe(9);
  });
});

describe('an invalid match is rejected without a look-up or a charge', () => {
  test.each<[string, string, object, string, string]>([
    ['/v1/ng/cac-basic', 'match', { id_number: 'RC7000' }, 'match', 'unknown_field'],
    ['/v1/ng/tin-basic', 'match', { id_number: '1234567890' }, 'match', 'unknown_field'],
    ['/v1/ng/nuban-basic', 'match', { id_number: '0123456789' }, 'match', 'unknown_field'],
    [
      '/v1/identities/verify',
      'match with id_type CAC',
      { country: 'NG', id_type: 'CAC', params: { id_number: 'RC7000' } },
      'match',
      'unknown_field',
    ],
    [
      '/v1/ng/nin-basic',
      'a date that does not exist',
      { id_number: '70000000001', match: { ...OTHER, birthdate: '31-02-1990' } },
      'match.birthdate',
      'wrong_format',
    ],
  ])('%s: %s', async (path, _, body, field, reason) => {
    const who = await organisation({ credits: 10 });
    const response = await post(path, { match: OTHER, ...body }, { key: who.live });
    expect([response.status, response.json?.code]).toEqual([400, 'INVALID_SCHEMA']);
    expect(response.json?.error).toMatchObject({ field, reason });
    for (const text of [...textsOf(OTHER), '31-02-1990']) expect(response.text).not.toContain(text);
    expect(registryCalls(response.json?.meta.request_id ?? '')).toBe(0);
    expect((await who.balance()).available).toBe(10);
  });
});
