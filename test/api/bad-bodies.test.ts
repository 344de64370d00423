import { brotliCompressSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ERROR_REASONS, type ErrorReason } from '../../shared/core/errors.ts';
import { expectHarmless } from '../security/attack.ts';
import { isComplete, randomCases } from '../support/sample.ts';
import { type ApiResponse, organisation, post } from '../support/service.ts';

/**
 * Every kind of invalid body on the routes of verifications and slips. Each response has the documented status and
 * code, no credit is charged, and the registry is not called (contract C7). All routes read their body with the same
 * module, so `npm test` sends each kind to a few of them, chosen at random, and `npm run test:long` to all of them.
 */

const ROUTES_OF_A_KIND = 3;

const customer = await organisation({ credits: 5 });

/** A route that takes a body. The documented code for a malformed number differs between routes (contract C7). */
interface Route {
  readonly path: string;
  readonly good: string;
  /** Returns a body with this value as the number. */
  readonly bodyWith: (value: unknown) => object;
  readonly wrongFormat: string;
  readonly alias?: string;
}

const dedicated = (path: string, idType: string, alias: string, good: string): Route => ({
  path: `/api/v1/ng/${path}/`,
  good,
  bodyWith: (value) => ({ id_number: value }),
  wrongFormat: `${idType}_NOT_FOUND`,
  alias,
});

const ROUTES: readonly Route[] = [
  dedicated('nin-basic', 'NIN', 'nin', '70000000001'),
  dedicated('nin-premium', 'NIN', 'nin', '70000000001'),
  dedicated('bvn-basic', 'BVN', 'bvn', '70000000001'),
  dedicated('bvn-premium', 'BVN', 'bvn', '70000000001'),
  dedicated('cac-basic', 'CAC', 'rc_number', 'RC7000001'),
  dedicated('cac-premium', 'CAC', 'rc_number', 'RC7000001'),
  dedicated('tin-basic', 'TIN', 'tin', '70000000-0001'),
  dedicated('nuban-basic', 'NUBAN', 'nuban', '7000000001'),
  {
    path: '/api/v1/identities/verify/',
    good: '70000000001',
    bodyWith: (value) => ({ country: 'NG', id_type: 'NIN', params: { id_number: value } }),
    wrongFormat: 'INVALID_SCHEMA',
  },
  {
    path: '/api/v1/ng/nin/slip/download/',
    good: '70000000001',
    bodyWith: (value) => ({ nin: value, slip_type: 'regular' }),
    wrongFormat: 'INVALID_SCHEMA',
  },
];

type Body = string | Uint8Array | object;
interface Case {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  /** The reason in the object `error`, where the case determines it. */
  readonly reason?: ErrorReason;
  /** The field that the error names, and a value that the response must not repeat. */
  readonly field?: string;
  readonly secret?: string;
  readonly send: () => Promise<ApiResponse>;
}

interface RouteCase extends Case {
  readonly kind: string;
}

/** Names the attack in docs/design/security.md that these cases are. */
const attack = (title: string, cases: readonly RouteCase[]): RouteCase[] =>
  cases.map((one) => ({ ...one, kind: `${title}: ${one.kind}`, name: `${one.name} (${title})` }));

const SIZES = { '4,097 bytes': 4_097, '1 MB': 1_000_000, '6 MB': 6_000_000, '10 MB': 10_000_000 };
const BOMB = 'a'.repeat(1_000_000);

/** Strings that are rejected as `consent` or `reason`: they contain an identity number, or could damage a log line. */
const STORED_TEXTS = [
  ['a NIN', 'NIN 12345678901'],
  ['a NIN with spaces and hyphens', '1234 567-8901'],
  ['a NIN in full-width digits', '１２３４５６７８９０１'],
  ['a NIN in Arabic-Indic digits', '١٢٣٤٥٦٧٨٩٠١'],
  ['a line break', 'form 7\nTOP_UP 1,000,000'],
  ['an escape sequence', '\u001b[2J'],
  ['a lone surrogate', 'form \ud800'],
] as const;

function casesOf(route: Route): RouteCase[] {
  const { good, bodyWith, path } = route;
  const call = (body: Body, headers: Record<string, string> = {}) =>
    post(path, body, { key: customer.live, headers });
  const row = (kind: string, code: string, body: Body, status = 400, headers = {}): RouteCase => ({
    kind,
    name: `${path}: ${kind}`,
    status,
    code,
    send: () => call(body, headers),
  });
  const wrong = (name: string, value: string): RouteCase => ({
    ...row(name, route.wrongFormat, bodyWith(value)),
    reason: 'wrong_format',
  });
  const schema = (name: string, body: Body) => row(name, 'INVALID_SCHEMA', body);
  const text = JSON.stringify(bodyWith(good));
  const prefix = good.startsWith('RC') ? 'RC' : '';
  const tail = good.slice(prefix.length);
  const swapDigits = (zero: number) =>
    prefix + tail.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  const withJson = (rest: string) => `${text.slice(0, -1)},${rest}}`;
  return [
    ...attack('S8: a number that is too short, too long or empty', [
      wrong('one digit too few', good.startsWith('RC') ? 'RC' : good.slice(0, -1)),
      wrong('one digit too many', good.startsWith('RC') ? 'RC123456789' : `${good}1`),
      wrong('4,000 digits', good.repeat(4_000).slice(0, 4_000)),
      wrong('empty', ''),
    ]),
    wrong('letters', `${good.slice(0, -1)}x`),
    ...attack('S7: non-ASCII digits and invisible characters', [
      ...[0xff10, 0x0660, 0x06f0, 0x0966, 0x1d7ce].map((zero) =>
        wrong(`digits from U+${zero.toString(16)}`, swapDigits(zero)),
      ),
      ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'].map((mark) =>
        wrong(`U+${mark.codePointAt(0)?.toString(16)}`, `${good.slice(0, 3)}${mark}${good.slice(3)}`),
      ),
      wrong('a right-to-left mark', `${good}\u200f`),
      wrong('a right-to-left override', `\u202e${good}`),
      wrong('a NUL', `${good}\u0000`),
    ]),
    wrong('two spaces between digits', `${good.slice(0, 5)}  ${good.slice(5)}`),
    wrong('a hyphen at the end', `${good}-`),
    wrong('a newline between digits', `${good.slice(0, 5)}\n${good.slice(5)}`),
    wrong('a tab between digits', `${good.slice(0, 5)}\t${good.slice(5)}`),
    wrong('a no-break space between digits', `${good.slice(0, 5)}\u00a0${good.slice(5)}`),
    ...attack('S6: a number that is not a string', [
      schema('a number', bodyWith(70000000001)),
      schema('null', bodyWith(null)),
      schema('an array', bodyWith([good])),
      schema('an object', bodyWith({ value: good })),
      schema('true', bodyWith(true)),
    ]),
    schema('no number', bodyWith(undefined)),
    schema('an empty object', {}),
    ...attack('S5: undocumented fields', [
      schema('cost', { ...bodyWith(good), cost: 0 }),
      schema('env', { ...bodyWith(good), env: 'test' }),
      schema('organisation', { ...bodyWith(good), organisation: 'other' }),
    ]),
    ...attack(
      'S4: keys that pollute a prototype',
      ['__proto__', 'constructor', 'prototype', '\\u005f_proto__'].map((name) =>
        schema(name, withJson(`"${name}":{"price":0,"admitted":true}`)),
      ),
    ),
    ...attack('S3: a repeated key', [
      schema('as it is', withJson(text.slice(1, -1))),
      schema(
        'in an escape sequence',
        withJson(`\\u00${text.charCodeAt(2).toString(16)}${text.slice(3, -1)}`),
      ),
    ]),
    schema('broken JSON', text.slice(0, -1)),
    schema('JSON with a comment', `/* */${text}`),
    schema('JSON with a trailing comma', `${text.slice(0, -1)},}`),
    schema('a byte order mark', `\uFEFF${text}`),
    schema('invalid UTF-8', new Uint8Array([...Buffer.from(text.slice(0, -1)), 0xff, 0xfe, 0x7d])),
    schema('UTF-16', Buffer.from(text, 'utf16le')),
    schema('an empty body', ''),
    schema('a JSON string', JSON.stringify(good)),
    schema('a JSON array', `[${text}]`),
    schema('null as a body', 'null'),
    ...attack('S2: JSON nested 100,000, 1,000,000 and 5,000,000 levels deep', [
      schema('2,000 levels', `${'['.repeat(2000)}${']'.repeat(2000)}`),
      schema('680 objects', `${'{"a":'.repeat(680)}1${'}'.repeat(680)}`),
      ...[100_000, 1_000_000, 5_000_000].map((levels) =>
        row(String(levels), 'PAYLOAD_TOO_LARGE', '['.repeat(levels), 413),
      ),
    ]),
    schema('a reason of 201 characters', { ...bodyWith(good), reason: 'r'.repeat(201) }),
    schema('a consent that is not a string', { ...bodyWith(good), consent: 1 }),
    ...STORED_TEXTS.flatMap(([name, value]) =>
      ['consent', 'reason'].map((field) => ({
        ...schema(`${name} in ${field}`, { ...bodyWith(good), [field]: value }),
        reason: 'wrong_format' as const,
        field,
        secret: value,
      })),
    ),
    ...attack(
      'S1: bodies of 4,097 bytes, 1 MB, 6 MB and 10 MB',
      Object.entries(SIZES).map(([size, bytes]) =>
        row(size, 'PAYLOAD_TOO_LARGE', text.padEnd(bytes, ' '), 413),
      ),
    ),
    ...attack('S9: an unsupported content type, charset or encoding', [
      ...[
        ...['', 'text/plain', 'text/json', 'application/jsonx', 'multipart/form-data'],
        ...['application/x-www-form-urlencoded', 'application/json; charset=utf-16'],
      ].map((type) => row(`type ${type}`, 'UNSUPPORTED_MEDIA_TYPE', text, 415, { 'Content-Type': type })),
      ...['gzip', 'br', 'deflate', 'x-unknown', 'gzip, identity'].map(
        (encoding): RouteCase => ({
          ...row(
            encoding,
            'UNSUPPORTED_MEDIA_TYPE',
            encoding === 'br' ? brotliCompressSync(BOMB) : gzipSync(BOMB),
            415,
            { 'Content-Encoding': encoding },
          ),
          reason: 'wrong_content_encoding',
          field: 'Content-Encoding',
        }),
      ),
      schema('a compressed body without its header', gzipSync(text)),
      // Only API Gateway decides whether a body is base64.
      schema('base64', Buffer.from(text).toString('base64')),
    ]),
    ...(route.alias
      ? [
          schema('both names of the number with different values', {
            ...bodyWith(good),
            [route.alias]: good.replace(/1$/, '2'),
          }),
        ]
      : []),
  ];
}

const GATEWAY = '/api/v1/identities/verify/';
const gatewayBody = { country: 'NG', id_type: 'NIN', params: { id_number: '70000000001' } };
const gatewayCases: Case[] = [
  ['no country', { ...gatewayBody, country: undefined }],
  ['an unsupported country', { ...gatewayBody, country: 'GH' }],
  ['a country in lower case', { ...gatewayBody, country: 'ng' }],
  ['an unknown ID type', { ...gatewayBody, id_type: 'PASSPORT' }],
  ['an ID type in lower case', { ...gatewayBody, id_type: 'nin' }],
  ['no ID type', { ...gatewayBody, id_type: undefined }],
  ['no params', { ...gatewayBody, params: undefined }],
  ['params as an array', { ...gatewayBody, params: ['70000000001'] }],
  ['an unknown field in params', { ...gatewayBody, params: { id_number: '70000000001', nin: '1' } }],
  [
    'a repeated key in params',
    '{"country":"NG","id_type":"NIN","params":{"id_number":"70000000001","id_number":"70000000002"}}',
  ],
  [
    'a prototype in params',
    '{"country":"NG","id_type":"NIN","params":{"id_number":"70000000001","__proto__":{"price":0}}}',
  ],
  ['an unknown level', { ...gatewayBody, level: 'premium' }],
  ['an unknown method', { ...gatewayBody, method: 'face' }],
  ['biometric at basic level', { ...gatewayBody, method: 'biometric' }],
  [
    'biometric for CAC',
    {
      country: 'NG',
      id_type: 'CAC',
      method: 'biometric',
      level: 'advanced',
      params: { id_number: 'RC7000001' },
    },
  ],
].map(([name, body]) => ({
  name: `${GATEWAY}: ${name}`,
  status: 400,
  code: 'INVALID_SCHEMA',
  send: () => post(GATEWAY, body, { key: customer.live }),
}));
const slipCases: Case[] = ['no type', 'an unknown type'].map((name, index) => ({
  name: `slip: ${name}`,
  status: 400,
  code: 'INVALID_SCHEMA',
  send: () =>
    post(
      '/v1/ng/nin/slip/download',
      { nin: '70000000001', ...(index === 1 && { slip_type: 'golden' }) },
      { key: customer.live },
    ),
}));

const kinds = Map.groupBy(ROUTES.flatMap(casesOf), ({ kind }) => kind);
const routeCases = [...kinds.values()].flatMap((all) =>
  isComplete ? all : randomCases(all, ROUTES_OF_A_KIND),
);
const cases = [...routeCases, ...gatewayCases, ...slipCases];
const before = await customer.balance();
const responses = new Map<Case, ApiResponse>();

beforeAll(async () => {
  // The requests of a route are sent one at a time, so that its function needs only one instance.
  const routes = Map.groupBy(cases, ({ name }) => name.split(':')[0]);
  const sendAll = async (some: readonly Case[]) => {
    for (const invalid of some) responses.set(invalid, await invalid.send());
  };
  await Promise.all([...routes.values()].map(sendAll));
}, 300_000);

describe.each(cases.map((invalid) => [invalid.name, invalid] as const))('%s', (_, invalid) => {
  test(`is rejected with ${invalid.status} ${invalid.code}, not charged, and not looked up`, () => {
    const response = responses.get(invalid);
    if (!response) throw new Error('There is no response.');

    expectHarmless(response, { status: invalid.status, code: invalid.code });
    expect(response.json).toMatchObject({ summary: { confidence_score: 0 } });
    expect(response.json?.message).toMatch(/^[A-Za-z].*[.?]$/);
    expect(response.json).toMatchObject({
      error: { field: expect.any(String), hint: expect.stringMatching(/^[A-Z].*[.?]$/) },
    });
    const { reason } = response.json?.error ?? {};
    if (invalid.reason) expect(reason).toBe(invalid.reason);
    else expect(ERROR_REASONS).toContain(reason);
    if (invalid.status === 415) expect(response.json?.message).toContain(response.json?.error?.hint);
    if (invalid.field) expect(response.json?.error?.field).toBe(invalid.field);
    if (invalid.secret) expect(response.text).not.toContain(JSON.stringify(invalid.secret).slice(1, -1));
  });
});

test('the wallet is unchanged after all rejected bodies', async () => {
  expect(await customer.balance()).toEqual(before);
});

/** Ways in which people write a number (contract D6). */
const WRITTEN: readonly (readonly [string, string])[] = [
  ['/v1/ng/nin-basic', ' 70000000001 '],
  ['/v1/ng/nin-basic', '7000 000 0001'],
  ['/v1/ng/nin-premium', '700-0000-0001'],
  ['/v1/ng/bvn-basic', '70 000 000 001'],
  ['/v1/ng/nuban-basic', '700 000 0001'],
  ['/v1/ng/cac-basic', ' rc7000001'],
  ['/v1/ng/cac-premium', 'Bn7000001 '],
  ['/v1/ng/cac-basic', 'IT7000001'],
  ['/v1/ng/cac-basic', 'lp7000001'],
  ['/v1/ng/cac-premium', 'LLP7000001'],
  ['/v1/ng/tin-basic', '700000000001'],
  ['/v1/ng/tin-basic', ' 7000000001'],
  ['/v1/ng/tin-basic', '7000000000001 '],
];

test.each(WRITTEN)('%s accepts %j', async (path, number) => {
  const { test: key } = await organisation();
  const response = await post(path, { id_number: number }, { key });

  expect(response.status).toBe(200);
  const canonical = number.replace(path.includes('tin') ? / /g : /[ -]/g, '').toUpperCase();
  const values = Object.values(response.json?.data ?? {});
  expect(values).toContain(canonical.replace(/^(\d{8})(\d{4})$/, '$1-$2'));
});

test.each(ROUTES)('$path accepts a body of 4,096 bytes', async ({ path, good, bodyWith }) => {
  const { live } = await organisation();
  const response = await post(path, JSON.stringify(bodyWith(good)).padEnd(4096, ' '), { key: live });

  // The slip's number was never verified. All other numbers are found.
  expect(response.json?.code ?? '').toMatch(/_VERIFIED$|^VERIFICATION_LOG_NOT_FOUND$/);
});
