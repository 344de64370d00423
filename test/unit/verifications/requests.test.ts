import { describe, expect, test } from '@jest/globals';
import type { ServiceError } from '../../../shared/core/errors.ts';
import {
  type BodyReader,
  dedicatedBody,
  gatewayBody,
  slipBody,
} from '../../../shared/verifications/requests.ts';

const nin = dedicatedBody('nin-basic');
const cac = dedicatedBody('cac-basic');
const tin = dedicatedBody('tin-basic');
const nuban = dedicatedBody('nuban-basic');
const NIN = '12345678901';

function gateway(body: object) {
  return { country: 'NG', id_type: 'NIN', params: { id_number: NIN }, ...body };
}

function rejectionOf(reader: BodyReader, body: unknown): ServiceError {
  try {
    reader.read(body);
  } catch (error) {
    return error as ServiceError;
  }
  throw new Error('The body was accepted.');
}

test.each<[BodyReader, object, string, string]>([
  [nin, { nin: '1234-567-8901' }, '12345678901', 'nin'],
  [nin, { id_number: ` ${NIN}`, nin: ` ${NIN}` }, NIN, 'id_number'],
  [cac, { rc_number: 'bn7000' }, 'BN7000', 'rc_number'],
  [cac, { id_number: '7000', company_type: 'BN' }, 'BN7000', 'id_number'],
  [cac, { id_number: 'LLP12', company_type: 'LLP' }, 'LLP12', 'id_number'],
  [tin, { tin: '123456780001' }, '12345678-0001', 'tin'],
  [tin, { tin: '2522520314833' }, '2522520314833', 'tin'],
  [nuban, { nuban: '012 345 6789' }, '0123456789', 'nuban'],
  [gatewayBody, gateway({}), NIN, 'params.id_number'],
  [
    gatewayBody,
    gateway({ id_type: 'TIN', params: { id_number: '123456780001' } }),
    '12345678-0001',
    'params.id_number',
  ],
  [
    gatewayBody,
    gateway({ id_type: 'NUBAN', params: { id_number: '0123456785', bank_code: '058' } }),
    '0123456785',
    'params.id_number',
  ],
  [
    gatewayBody,
    gateway({ id_type: 'CAC', params: { id_number: '12', company_type: 'IT' } }),
    'IT12',
    'params.id_number',
  ],
  [slipBody, { nin: '1234 5678 901', slip_type: 'regular' }, NIN, 'nin'],
])('the accepted body %# yields the canonical number and its field', (reader, body, number, numberField) => {
  expect(reader.read(body)).toMatchObject({ number, numberField });
});

const texts = { consent: null, reason: null, reference: null };
test.each<[BodyReader, object, object]>([
  [nin, { nin: NIN, match: { firstname: 'Ada' } }, { id_number: null, match_only: null, ...texts }],
  [
    nin,
    { id_number: NIN, match: { firstname: 'Ada' } },
    { match: { firstname: 'Ada', middlename: '', phone: null } },
  ],
  [cac, { id_number: 'RC12' }, { company_type: null, rc_number: null }],
  [nuban, { id_number: '0123456789' }, { bank_code: null }],
  [gatewayBody, gateway({}), { method: null, level: null, match: null, match_only: null, ...texts }],
  [gatewayBody, gateway({}), { params: { id_number: NIN, company_type: null } }],
  [slipBody, { nin: NIN, slip_type: 'regular' }, { match: null, ...texts }],
])('in the body %#, null and an empty detail mean the same as an absent field', (reader, body, absent) => {
  // The fingerprint of the request is made from the command's text.
  expect(JSON.stringify(reader.read({ ...body, ...absent }))).toBe(JSON.stringify(reader.read(body)));
});

describe('the error for a rejected body names the fault:', () => {
  test.each<[string, BodyReader, unknown, string, string, string, RegExp]>([
    ['no number', nin, {}, 'INVALID_SCHEMA', 'missing_field', 'id_number', /missing/],
    ['only null', nin, { nin: null }, 'INVALID_SCHEMA', 'missing_field', 'id_number', /missing/],
    [
      'an empty match',
      nin,
      { nin: NIN, match: { middlename: '' } },
      'INVALID_SCHEMA',
      'missing_field',
      'match',
      /empty/,
    ],
    ['a number', nin, { nin: 12345678901 }, 'INVALID_SCHEMA', 'wrong_type', 'nin', /Send it in quotes/],
    [
      'a wrong format',
      nin,
      { nin: '123' },
      'NIN_NOT_FOUND',
      'wrong_format',
      'nin',
      /nin must be exactly 11 digits/,
    ],
    ['an empty number', nin, { id_number: '' }, 'NIN_NOT_FOUND', 'wrong_format', 'id_number', /11 digits/],
    [
      'two numbers',
      nin,
      { nin: NIN, id_number: '12345678902' },
      'INVALID_SCHEMA',
      'wrong_value',
      'nin',
      /differ/,
    ],
    ['a list', nin, [], 'INVALID_SCHEMA', 'not_an_object', '', /must be a JSON object/],
    [
      'a list of bodies',
      nin,
      [{ nin: NIN }],
      'INVALID_SCHEMA',
      'not_an_object',
      '',
      /one object, not a list/,
    ],
    [
      'a value in the wrong case',
      gatewayBody,
      gateway({ id_type: 'nin' }),
      'INVALID_SCHEMA',
      'wrong_value',
      'id_type',
      /^The field id_type must be "NIN", "BVN", .* or ".*"\. Did you mean "NIN"\?$/,
    ],
    [
      'an unknown value',
      gatewayBody,
      gateway({ id_type: 'passport' }),
      'INVALID_SCHEMA',
      'wrong_value',
      'id_type',
      /^The field id_type must be "NIN", "BVN", .* or ".*"\. Send one of the documented values\.$/,
    ],
    [
      'an unsupported country',
      gatewayBody,
      gateway({ country: 'GH' }),
      'INVALID_SCHEMA',
      'wrong_value',
      'country',
      /^The field country must be "NG"\. Send "NG"\.$/,
    ],
    ...[['regular'], null, 7, { a: 1 }].map(
      (slip_type) =>
        [
          `a slip type of ${JSON.stringify(slip_type)}`,
          slipBody,
          { nin: NIN, slip_type },
          'INVALID_SCHEMA',
          'wrong_type',
          'slip_type',
          /must be "regular", .*\. Send it as a string\.$/,
        ] satisfies [string, BodyReader, unknown, string, string, string, RegExp],
    ),
    ['null', nin, null, 'INVALID_SCHEMA', 'not_an_object', '', /must be a JSON object/],
    [
      'a near miss',
      nin,
      { idNumber: NIN },
      'INVALID_SCHEMA',
      'unknown_field',
      'idNumber',
      /Unknown field "idNumber"\. Did you mean "id_number"\?/,
    ],
    [
      'an unknown field',
      nin,
      { nin: NIN, zzzzzzzz: 1 },
      'INVALID_SCHEMA',
      'unknown_field',
      'zzzzzzzz',
      /Known fields: id_number, nin, match, match_only, consent, reason, reference\./,
    ],
    [
      'a nested unknown field',
      gatewayBody,
      gateway({ params: { id_number: NIN, idnumber: 1 } }),
      'INVALID_SCHEMA',
      'unknown_field',
      'params.idnumber',
      /Did you mean "id_number"/,
    ],
    [
      'a control character in a name',
      nin,
      { nin: NIN, 'a"\n': 1 },
      'INVALID_SCHEMA',
      'unknown_field',
      'a\\u0022\\u000a',
      /Unknown field/,
    ],
    [
      'a long reason',
      nin,
      { nin: NIN, reason: 'x'.repeat(201) },
      'INVALID_SCHEMA',
      'too_long',
      'reason',
      /200 characters/,
    ],
    [
      'bare digits',
      cac,
      { rc_number: '123456' },
      'CAC_NOT_FOUND',
      'wrong_format',
      'rc_number',
      /RC, BN, IT, LP or LLP/,
    ],
    [
      'two company types',
      cac,
      { rc_number: 'RC12', company_type: 'BN' },
      'INVALID_SCHEMA',
      'wrong_value',
      'company_type',
      /name different types/,
    ],
    [
      'two partnership types',
      cac,
      { rc_number: 'LLP12', company_type: 'LP' },
      'INVALID_SCHEMA',
      'wrong_value',
      'company_type',
      /name different types/,
    ],
    [
      'an unknown company type',
      cac,
      { rc_number: '12', company_type: 'XX' },
      'INVALID_SCHEMA',
      'wrong_value',
      'company_type',
      /must be "RC", "BN", "IT", "LP" or "LLP"\./,
    ],
    [
      'a company type for a person',
      gatewayBody,
      gateway({ params: { id_number: NIN, company_type: 'RC' } }),
      'INVALID_SCHEMA',
      'unknown_field',
      'params.company_type',
      /for id_type "CAC" only/,
    ],
    [
      'a bank code for a person',
      gatewayBody,
      gateway({ params: { id_number: NIN, bank_code: '058' } }),
      'INVALID_SCHEMA',
      'unknown_field',
      'params.bank_code',
      /for id_type "NUBAN" only/,
    ],
    [
      'the gateway: a level that the ID type does not have',
      gatewayBody,
      gateway({ id_type: 'TIN', level: 'advanced', params: { id_number: '12345678-0001' } }),
      'INVALID_SCHEMA',
      'wrong_value',
      'level',
      /^id_type "TIN" has only the level "basic"\. Leave level out\.$/,
    ],
    [
      'the gateway: a photo of an account',
      gatewayBody,
      gateway({ id_type: 'NUBAN', method: 'biometric', params: { id_number: '0123456789' } }),
      'INVALID_SCHEMA',
      'wrong_value',
      'method',
      /for id_type "NIN" and "BVN" only/,
    ],
    [
      'the gateway: details of a taxpayer',
      gatewayBody,
      gateway({ id_type: 'TIN', match: { lastname: 'Ola' }, params: { id_number: '12345678-0001' } }),
      'INVALID_SCHEMA',
      'unknown_field',
      'match',
      /for id_type "NIN" and "BVN" only/,
    ],
    [
      'a wrong bank code',
      nuban,
      { nuban: '0123456789', bank_code: '1' },
      'INVALID_SCHEMA',
      'wrong_format',
      'bank_code',
      /2 to 10 letters and digits/,
    ],
    [
      'the gateway: a wrong format',
      gatewayBody,
      gateway({ params: { id_number: '1' } }),
      'INVALID_SCHEMA',
      'wrong_format',
      'params.id_number',
      /exactly 11 digits/,
    ],
    [
      'the gateway: an empty list',
      gatewayBody,
      gateway({ params: [] }),
      'INVALID_SCHEMA',
      'wrong_type',
      'params',
      /must be an object/,
    ],
    [
      'the gateway: a list with the number',
      gatewayBody,
      gateway({ params: [NIN] }),
      'INVALID_SCHEMA',
      'wrong_type',
      'params',
      /must be an object/,
    ],
    [
      'a list in the position of the number',
      nin,
      { nin: [NIN] },
      'INVALID_SCHEMA',
      'wrong_type',
      'nin',
      /must be a string\. Send a string, not a list\./,
    ],
    [
      'an object in the position of the number',
      nin,
      { id_number: { value: NIN } },
      'INVALID_SCHEMA',
      'wrong_type',
      'id_number',
      /must be a string\. Send a string, not an object\./,
    ],
    [
      'true in the position of the number',
      nin,
      { id_number: true },
      'INVALID_SCHEMA',
      'wrong_type',
      'id_number',
      /must be a string\. Send a string, not true\./,
    ],
    [
      'the gateway: the number outside params',
      gatewayBody,
      { country: 'NG', id_type: 'NIN', id_number: NIN },
      'INVALID_SCHEMA',
      'unknown_field',
      'id_number',
      /Unknown field "id_number"\. Send it as params\.id_number\./,
    ],
    [
      'the gateway: a misspelt field that is required',
      gatewayBody,
      gateway({ params: { idNumber: NIN } }),
      'INVALID_SCHEMA',
      'unknown_field',
      'params.idNumber',
      /Unknown field "params\.idNumber"\. Did you mean "id_number"\?/,
    ],
    [
      'the slip: a field of another route',
      slipBody,
      { id_number: NIN, slip_type: 'regular' },
      'INVALID_SCHEMA',
      'unknown_field',
      'id_number',
      /Unknown field "id_number"\. Did you mean "nin"\?/,
    ],
    [
      'a field whose name contains a dot',
      nin,
      { 'params.nin': NIN },
      'INVALID_SCHEMA',
      'unknown_field',
      'params.nin',
      /Known fields: id_number, nin, match, match_only, consent, reason, reference\./,
    ],
    [
      'a field whose name an object inherits',
      nin,
      { nin: NIN, toString: 1 },
      'INVALID_SCHEMA',
      'unknown_field',
      'toString',
      /Unknown field "toString"/,
    ],
    [
      'the gateway: no params',
      gatewayBody,
      { country: 'NG', id_type: 'NIN' },
      'INVALID_SCHEMA',
      'missing_field',
      'params',
      /The field params is missing/,
    ],
    [
      'the gateway: a string as params',
      gatewayBody,
      gateway({ params: 'x' }),
      'INVALID_SCHEMA',
      'wrong_type',
      'params',
      /must be an object/,
    ],
    [
      'the gateway: a wrong combination',
      gatewayBody,
      gateway({ method: 'biometric' }),
      'INVALID_SCHEMA',
      'wrong_value',
      'method',
      /requires level "advanced"\. Send level/,
    ],
    [
      'the gateway: biometric for a company',
      gatewayBody,
      gateway({ id_type: 'CAC', method: 'biometric', level: 'advanced', params: { id_number: 'RC12' } }),
      'INVALID_SCHEMA',
      'wrong_value',
      'method',
      /is for id_type "NIN" and "BVN" only\. Leave method out\./,
    ],
    [
      'the slip: a virtual NIN',
      slipBody,
      { nin: 'AB012345678910YZ', slip_type: 'regular' },
      'INVALID_SCHEMA',
      'wrong_format',
      'nin',
      /exactly 11 digits.*A slip needs the NIN itself/,
    ],
    [
      'a reference with the virtual NIN',
      nin,
      { id_number: 'AB012345678910YZ', reference: 'ab-012345678910-yz' },
      'INVALID_SCHEMA',
      'wrong_value',
      'reference',
      /contains the number/,
    ],
    [
      'the slip: a wrong format',
      slipBody,
      { nin: '1', slip_type: 'regular' },
      'INVALID_SCHEMA',
      'wrong_format',
      'nin',
      /exactly 11 digits/,
    ],
  ])('%s', (_, reader, body, code, reason, field, message) => {
    const error = rejectionOf(reader, body);
    expect(error.code).toBe(code);
    expect(error.details).toEqual({ reason, field, hint: expect.stringMatching(/\.$|\?$/) });
    expect(error.message).toMatch(message);
  });

  const ROUTES = [
    ['a dedicated route', nin, { nin: NIN }],
    ['the gateway', gatewayBody, gateway({})],
    ['the slip', slipBody, { nin: NIN, slip_type: 'regular' }],
  ] as const;
  const TEXTS: readonly (readonly [string, string, RegExp])[] = [
    ['a line break', 'form 7\n2026-11-21 TOP_UP', /consent contains a control character/],
    ['an escape sequence', '\u001b[2J', /control character/],
    ['a direction mark', 'form \u202e7', /invisible character/],
    ['a lone surrogate', 'form \ud83d 7', /invisible character/],
    ['a NIN', `NIN ${NIN}`, /consent contains a number of 10 or more digits/],
    ['a NIN with hyphens', '1234-567-8901', /10 or more digits/],
    ['a NIN in Arabic-Indic digits', '١٢٣٤٥٦٧٨٩٠١', /10 or more digits/],
  ];
  test.each(
    ROUTES.flatMap(([route, reader, body]) => TEXTS.map((text) => [route, ...text, reader, body] as const)),
  )(
    '%s: %s in consent or reason, without repeating the text',
    (_route, _name, text, message, reader, body) => {
      for (const field of ['consent', 'reason']) {
        const error = rejectionOf(reader, { ...body, [field]: text });
        expect(error.code).toBe('INVALID_SCHEMA');
        expect(error.details).toEqual({
          reason: 'wrong_format',
          field,
          hint: expect.stringMatching(/^Send .*\.$/),
        });
        expect(error.message).toMatch(new RegExp(message.source.replace('consent', field)));
        expect(JSON.stringify([error.message, error.details])).not.toContain(text.slice(-6));
      }
    },
  );

  const SPELLINGS = [
    '123 - 456 - 789 - 01',
    '[(123)] [(456)] [(789)] [(01)]',
    '❶❷❸ / ❹❺❻ / ❼❽❾ / ⓿❶',
    '00000000-0000-0000-0000-012345678901',
    '\u0661\u0662\u0663 _ \u0664\u0665\u0666 _ \u0667\u0668\u0669 _ \u0660\u0661',
  ];
  test.each(ROUTES.flatMap(([route, ...rest]) => SPELLINGS.map((text) => [route, text, ...rest] as const)))(
    '%s: the number to verify as %j in consent, reason or reference',
    (_route, text, reader, body) => {
      for (const field of ['consent', 'reason', 'reference']) {
        const error = rejectionOf(reader, { ...body, [field]: text });
        expect(error.details).toMatchObject({ reason: 'wrong_value', field });
        expect(error.message).toContain(`The field ${field} contains the number to verify.`);
      }
    },
  );

  test('a company number without a type, with a hint', () => {
    expect(rejectionOf(cac, { rc_number: '123456' }).details?.hint).toMatch(/BN for a business name/);
  });

  test.each(['12345678901', '1234 567-8901', 'x12345678901y', '12345678901'.repeat(9)])(
    'a number instead of a field name, without repeating it: %s',
    (name) => {
      const { details, message } = rejectionOf(nin, { [name]: 'nin' });
      expect(details).toMatchObject({ reason: 'unknown_field', field: name.replace(/[0-9].*[0-9]/, '****') });
      expect(message).not.toMatch(/[0-9]/);
    },
  );

  test('a long field name, truncated to 64 characters', () => {
    const { details } = rejectionOf(nin, { nin: NIN, ['x'.repeat(200)]: 1 });
    expect(details?.field).toBe('x'.repeat(64));
  });
});
