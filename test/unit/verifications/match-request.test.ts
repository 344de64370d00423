import { describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../../shared/core/errors.ts';
import {
  type BodyReader,
  dedicatedBody,
  gatewayBody,
  slipBody,
} from '../../../shared/verifications/requests.ts';

/** The fields `match` and `match_only` of request bodies (contract M1 and M3). */

const NIN = '12345678901';
const bvn = dedicatedBody('bvn-premium');
const base = { bvn: NIN };
const gateway = (more: object) => ({ country: 'NG', id_type: 'NIN', params: { id_number: NIN }, ...more });

function rejectionOf(reader: BodyReader, body: object): ServiceError {
  try {
    reader.read(body);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('The body was accepted.');
}

const WHOLE = {
  firstname: 'Adébáyọ̀',
  lastname: "Ƙaura-Ng'ang'a",
  middlename: 'O.',
  birthdate: '29-02-2000',
  gender: 'female',
  phone: '+234 (0)803 123-4567',
};

describe('the details in the field match', () => {
  test.each<[string, BodyReader, object]>([
    ['a NIN route', dedicatedBody('nin-basic'), { nin: NIN }],
    ['a BVN route', bvn, base],
    ['the gateway', gatewayBody, gateway({})],
  ])('are part of the command of %s, unchanged', (_, reader, body) => {
    expect(reader.read({ ...body, match: WHOLE })).toMatchObject({ match: WHOLE });
    expect(reader.read({ ...body, match: WHOLE, match_only: true })).toMatchObject({
      match: WHOLE,
      isMatchOnly: true,
    });
    for (const more of [{}, { match_only: false }]) {
      const command = reader.read({ ...body, ...more });
      expect('match' in command || 'isMatchOnly' in command).toBe(false);
    }
  });

  test.each(Object.entries(WHOLE))('may consist of %s alone', (field, value) => {
    expect(bvn.read({ ...base, match: { [field]: value } }).match).toEqual({ [field]: value });
  });

  test.each(['2000-02-29', '01-01-1900', '31-12-2099'])('may contain the date %s', (birthdate) => {
    expect(bvn.read({ ...base, match: { birthdate } }).match).toEqual({ birthdate });
  });

  test.each(['08031234567', '8031234567', '+2348031234567', '0803 123 4567', '+44 20 7946 0958'])(
    'may contain the phone number %s',
    (phone) => {
      expect(bvn.read({ ...base, match: { phone } }).match).toEqual({ phone });
    },
  );
});

const LONG = 'a'.repeat(101);
const WRONG: readonly (readonly [string, object, string, string, RegExp])[] = [
  ['no details', { match: {} }, 'missing_field', 'match', /is empty\. Send at least one of firstname, las/],
  ['a string', { match: 'ADE' }, 'wrong_type', 'match', /match must be an object/],
  ['a list', { match: [WHOLE] }, 'wrong_type', 'match', /match must be an object/],
  ['a number as a name', { match: { lastname: 7 } }, 'wrong_type', 'match.lastname', /must be a string/],
  ['only empty details', { match: { lastname: null, phone: '' } }, 'missing_field', 'match', /is empty/],
  ['an object as a name', { match: { lastname: {} } }, 'wrong_type', 'match.lastname', /not an object/],
  ['a long name', { match: { firstname: LONG } }, 'too_long', 'match.firstname', /longer than 100 char/],
  ...['  ', '12', 'Ade\nOla', 'Ade\u202e'].map(
    (middlename) =>
      [
        `the name ${JSON.stringify(middlename)}`,
        { match: { middlename } },
        'wrong_format',
        'match.middlename',
        /must be a name.*Leave the field out if there is no such name/,
      ] as const,
  ),
  ...['31-02-1990', '1990-13-01', '29-02-1900', '14-02-1890', '14/02/1990', '1990', '14-02-90'].map(
    (birthdate) =>
      [
        `the date ${JSON.stringify(birthdate)}`,
        { match: { birthdate } },
        'wrong_format',
        'match.birthdate',
        /must be a date that exists.*Write the date as DD-MM-YYYY or YYYY-MM-DD/,
      ] as const,
  ),
  ['an unknown gender', { match: { gender: 'x' } }, 'wrong_value', 'match.gender', /"m", "f", "male" or "fe/],
  ['a gender in capitals', { match: { gender: 'M' } }, 'wrong_value', 'match.gender', /Did you mean "m"\?/],
  ...['12345', 'none', '0803123456x', '0'.repeat(16), '+'].map(
    (phone) =>
      [
        `the phone number ${JSON.stringify(phone)}`,
        { match: { phone } },
        'wrong_format',
        'match.phone',
        /must be a phone number of 7 to 15 digits/,
      ] as const,
  ),
  [
    'an unknown detail',
    { match: { first_name: 'ADE' } },
    'unknown_field',
    'match.first_name',
    /Did you mean "firstname"\?/,
  ],
  ...['nickname', 'surname'].map(
    (name) =>
      [
        `the unknown detail ${name}`,
        { match: { [name]: 'ADE' } },
        'unknown_field',
        `match.${name}`,
        /Known fields: firstname, lastname, middlename/,
      ] as const,
  ),
  [
    'a detail outside match',
    { lastname: 'ADE' },
    'unknown_field',
    'lastname',
    /Send it as match\.lastname\./,
  ],
  [
    'a string as match_only',
    { match: WHOLE, match_only: 'true' },
    'wrong_type',
    'match_only',
    /must be true or false\. Send true or false, without quotes/,
  ],
  ['match_only alone', { match_only: true }, 'missing_field', 'match', /match_only requires the field match/],
];

describe('a body is rejected, and the error names the field but no value:', () => {
  const readers: readonly (readonly [string, BodyReader, object])[] = [
    ['a BVN route', bvn, base],
    ['the gateway', gatewayBody, gateway({})],
  ];
  test.each(
    readers.flatMap(([route, reader, body]) =>
      WRONG.map((wrong) => [route, ...wrong, reader, body] as const),
    ),
  )('%s: %s', (_route, _name, fields, reason, field, message, reader, body) => {
    const error = rejectionOf(reader, { ...body, ...fields });
    expect([error.code, error.details?.reason, error.details?.field]).toEqual([
      'INVALID_SCHEMA',
      reason,
      field,
    ]);
    expect(error.message).toMatch(message);
    expect(error.message).not.toMatch(/ADE|0803123456x|31-02/);
  });

  test.each(['match', 'match_only'])('%s with id_type "CAC"', (field) => {
    const body = gateway({
      id_type: 'CAC',
      params: { id_number: 'RC7' },
      [field]: field === 'match' ? WHOLE : true,
    });
    expect(rejectionOf(gatewayBody, body).details).toEqual({
      reason: 'unknown_field',
      field,
      hint: 'Remove it.',
    });
    expect(rejectionOf(gatewayBody, body).message).toContain('for id_type "NIN" and "BVN" only');
  });

  test('match_only with a biometric photo', () => {
    const body = gateway({ method: 'biometric', level: 'advanced', match: WHOLE, match_only: true });
    expect(rejectionOf(gatewayBody, body).details).toMatchObject({
      reason: 'wrong_value',
      field: 'match_only',
    });
    expect(gatewayBody.read({ ...body, match_only: false }).match).toEqual(WHOLE);
  });

  test.each<[string, BodyReader, object]>([
    ['cac-basic', dedicatedBody('cac-basic'), { rc_number: 'RC7' }],
    ['tin-basic', dedicatedBody('tin-basic'), { tin: '1234567890' }],
    ['nuban-basic', dedicatedBody('nuban-basic'), { nuban: '0123456789' }],
  ])('match on %s, with a hint about where it belongs', (_, reader, body) => {
    for (const field of ['match', 'match_only']) {
      const { code, details } = rejectionOf(reader, { ...body, [field]: WHOLE });
      expect([code, details?.reason, details?.field]).toEqual(['INVALID_SCHEMA', 'unknown_field', field]);
      expect(details?.hint).toMatch(/Verifications of a NIN or BVN accept it/);
    }
  });

  test('match inside params, with a hint about where it belongs', () => {
    const body = gateway({ params: { id_number: NIN, match: WHOLE } });
    expect(rejectionOf(gatewayBody, body).details).toMatchObject({
      reason: 'unknown_field',
      field: 'params.match',
      hint: expect.stringMatching(/at the top level of the body/),
    });
  });

  test('match_only on the slip, with a hint that a slip always shows the record', () => {
    const body = { nin: NIN, slip_type: 'regular' };
    expect(slipBody.read({ ...body, match: WHOLE }).match).toEqual(WHOLE);
    for (const [more, field] of [
      [{ match_only: true }, 'match_only'],
      [{ match: WHOLE, match_only: false }, 'match_only'],
      [{ match: { ...WHOLE, match_only: true } }, 'match.match_only'],
    ] as const) {
      const { details } = rejectionOf(slipBody, { ...body, ...more });
      expect(details).toMatchObject({ reason: 'unknown_field', field });
      expect(details?.hint).toBe(
        'A slip shows the record. Leave match_only out, or send it when you verify the NIN.',
      );
    }
  });
});
