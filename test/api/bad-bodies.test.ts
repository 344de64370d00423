import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, organisation, post, registryCalls } from '../support/service.ts';

/**
 * Each way in which a body can be wrong, on every route that takes one: the documented status and code, no charge and
 * no call to the registry (decision C7).
 */

const who = await organisation({ credits: 5 });

/** What a wrong number means on a route: the documented code of a wrong format differs (decision C7). */
interface Route {
  readonly path: string;
  /** A good number of the route, and the body that carries a number. */
  readonly good: string;
  readonly carry: (value: unknown) => object;
  readonly wrongFormat: string;
  readonly alias?: string;
}

const dedicated = (path: string, idType: string, alias: string, good: string): Route => ({
  path: `/api/v1/ng/${path}/`,
  good,
  carry: (value) => ({ id_number: value }),
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
    carry: (value) => ({ country: 'NG', id_type: 'NIN', params: { id_number: value } }),
    wrongFormat: 'INVALID_SCHEMA',
  },
  {
    path: '/api/v1/ng/nin/slip/download/',
    good: '70000000001',
    carry: (value) => ({ nin: value, slip_type: 'regular' }),
    wrongFormat: 'INVALID_SCHEMA',
  },
];

type Body = string | Uint8Array | object;
interface Case {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly send: () => Promise<Answer>;
}

function casesOf(route: Route): Case[] {
  const { good, carry, path } = route;
  const call = (body: Body, headers: Record<string, string> = {}) =>
    post(path, body, { key: who.live, headers });
  const row = (name: string, code: string, body: Body, status = 400, headers = {}): Case => ({
    name: `${path}: ${name}`,
    status,
    code,
    send: () => call(body, headers),
  });
  const wrong = (name: string, value: string) => row(name, route.wrongFormat, carry(value));
  const schema = (name: string, body: Body) => row(name, 'INVALID_SCHEMA', body);
  const text = JSON.stringify(carry(good));
  const prefix = good.startsWith('RC') ? 'RC' : '';
  const tail = good.slice(prefix.length);
  const swapDigits = (zero: number) =>
    prefix + tail.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
  return [
    wrong('one digit too few', good.startsWith('RC') ? 'RC' : good.slice(0, -1)),
    wrong('one digit too many', good.startsWith('RC') ? 'RC123456789' : `${good}1`),
    wrong('letters', `${good.slice(0, -1)}x`),
    wrong('an empty string', ''),
    wrong('full-width digits', swapDigits(0xff10)),
    wrong('Arabic-Indic digits', swapDigits(0x0660)),
    wrong('a leading space', ` ${good}`),
    wrong('a trailing space', `${good} `),
    wrong('a newline at the end', `${good}\n`),
    wrong('a newline before it', `\n${good}`),
    wrong('a tab', `${good}\t`),
    wrong('a no-break space', `\u00a0${good}`),
    ...['\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'].map((mark) =>
      wrong(
        `the zero-width character U+${mark.codePointAt(0)?.toString(16)}`,
        `${good.slice(0, 3)}${mark}${good.slice(3)}`,
      ),
    ),
    wrong('a right-to-left mark', `${good}\u200f`),
    wrong('a NUL', `${good}\u0000`),
    schema('a number instead of a string', carry(70000000001)),
    schema('null', carry(null)),
    schema('an array', carry([good])),
    schema('an object', carry({ value: good })),
    schema('true', carry(true)),
    schema('no number', carry(undefined)),
    schema('an empty object', {}),
    schema('an unknown field', { ...carry(good), cost: 0 }),
    schema('a field of another organisation', { ...carry(good), organisation: 'other' }),
    schema('__proto__', `${text.slice(0, -1)},"__proto__":{"price":0}}`),
    schema('constructor', `${text.slice(0, -1)},"constructor":{}}`),
    schema('a name that stands twice', `${text.slice(0, -1)},${text.slice(1)}`),
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
    schema('deep nesting', `${'['.repeat(2000)}${']'.repeat(2000)}`),
    schema('a reason of 201 characters', { ...carry(good), reason: 'r'.repeat(201) }),
    schema('a consent that is no string', { ...carry(good), consent: 1 }),
    row('4,097 bytes', 'PAYLOAD_TOO_LARGE', text.padEnd(4097, ' '), 413),
    row('1 MB', 'PAYLOAD_TOO_LARGE', text.padEnd(1_000_000, ' '), 413),
    row('1 MB of nesting', 'PAYLOAD_TOO_LARGE', '['.repeat(1_000_000), 413),
    row('no JSON type', 'UNSUPPORTED_MEDIA_TYPE', text, 415, { 'Content-Type': 'text/plain' }),
    row('a form', 'UNSUPPORTED_MEDIA_TYPE', 'a=b', 415, {
      'Content-Type': 'application/x-www-form-urlencoded',
    }),
    row('another charset', 'UNSUPPORTED_MEDIA_TYPE', text, 415, {
      'Content-Type': 'application/json; charset=utf-16',
    }),
    row('a compressed body', 'UNSUPPORTED_MEDIA_TYPE', text, 415, { 'Content-Encoding': 'gzip' }),
    ...(route.alias
      ? [
          schema('both names, differing', {
            ...carry(good),
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
  ['another country', { ...gatewayBody, country: 'GH' }],
  ['a country in lower case', { ...gatewayBody, country: 'ng' }],
  ['an ID type that it does not serve', { ...gatewayBody, id_type: 'TIN' }],
  ['an ID type in lower case', { ...gatewayBody, id_type: 'nin' }],
  ['no ID type', { ...gatewayBody, id_type: undefined }],
  ['no params', { ...gatewayBody, params: undefined }],
  ['params as an array', { ...gatewayBody, params: ['70000000001'] }],
  ['an unknown field in params', { ...gatewayBody, params: { id_number: '70000000001', nin: '1' } }],
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
  send: () => post(GATEWAY, body, { key: who.live }),
}));
const slipCases: Case[] = ['no type', 'an unknown type'].map((name, place) => ({
  name: `slip: ${name}`,
  status: 400,
  code: 'INVALID_SCHEMA',
  send: () =>
    post(
      '/v1/ng/nin/slip/download',
      { nin: '70000000001', ...(place === 1 && { slip_type: 'golden' }) },
      { key: who.live },
    ),
}));

const cases = [...ROUTES.flatMap(casesOf), ...gatewayCases, ...slipCases];
const before = await who.balance();
const answers = new Map<Case, Answer>();

beforeAll(async () => {
  for (let first = 0; first < cases.length; first += 20) {
    const batch = cases.slice(first, first + 20);
    await Promise.all(batch.map(async (one) => answers.set(one, await one.send())));
  }
}, 120_000);

describe.each(cases.map((one) => [one.name, one] as const))('%s', (_, one) => {
  test(`is answered ${one.status} ${one.code}, uncharged, without a call to the registry`, () => {
    const answer = answers.get(one);

    expect([answer?.status, answer?.json?.code]).toEqual([one.status, one.code]);
    expect(answer?.json).toMatchObject({ success: false, data: null, summary: { confidence_score: 0 } });
    expect(answer?.json?.message).toMatch(/^[A-Za-z].*\.$/);
    expect(answer?.headers.get('x-credits-charged')).toBe('0');
    expect(registryCalls(answer?.json?.meta.request_id ?? '')).toBe(0);
  });
});

test('no wallet has changed', async () => {
  expect(await who.balance()).toEqual(before);
});

test.each(ROUTES)('$path reads 4,096 bytes of its own form', async ({ path, good, carry }) => {
  const { live } = await organisation();
  const answer = await post(path, JSON.stringify(carry(good)).padEnd(4096, ' '), { key: live });

  // Nobody has verified the slip's number before, and all others are found.
  expect(answer.json?.code ?? '').toMatch(/_VERIFIED$|^VERIFICATION_LOG_NOT_FOUND$/);
});
