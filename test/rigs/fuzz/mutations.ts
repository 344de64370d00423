import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Random } from '../../ledger/simulation/random.ts';

/** Mutations of a request: of its bytes, JSON, headers, API key, query, path and address. */

/** An event whose parts can be changed. */
export type OpenEvent = {
  -readonly [K in keyof APIGatewayProxyEvent]: APIGatewayProxyEvent[K];
} & { multiValueHeaders: Record<string, string[] | undefined> };

type Mutation = (event: OpenEvent, random: Random) => void;

const TEXTS = [
  ...['', ' ', '0', '-1', 'null', 'true', '{}', '[]', '"', '\\', '\u0000', '\r\n', '\uFEFF', '\u202E'],
  ...[
    '١٢٣٤٥٦٧٨٩٠١',
    '１２３４５６７８９０１',
    '𝟏𝟐𝟑',
    '\uD800',
    'é\u0301',
    '😀',
    '%00',
    '../..',
    "' OR 1=1 --",
  ],
  ...['{{7*7}}', '$' + '{jndi:ldap://x}', '<script>', 'a'.repeat(300), '9'.repeat(400), '1e999', 'NaN'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'id_number', 'nin', 'params'],
] as [string, ...string[]];
const TOKENS = [
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '{"a":',
    '[[[[[[[[',
    '"__proto__":{"price":0},',
    '"nin":"1",',
    '1e999',
  ],
  ...['-0', '\\u0000', '\\ud800', '//', '/**/', '\u00a0', '\u2028', 'true', 'null', '0x1', "'", ',,'],
] as [string, ...string[]];
const VALUES = [
  ...[null, true, false, 0, -1, 1e308, 12345678901, [], {}, [[]], { $ne: null }, ['12345678901']],
  ...TEXTS,
] as [unknown, ...unknown[]];
const HEADERS = [
  ...['Authorization', 'authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key', 'Accept'],
  ...['X-Forwarded-Proto', 'X-Forwarded-For', 'X-Request-Id', 'X-HTTP-Method-Override', 'Transfer-Encoding'],
  ...[
    '__proto__',
    'constructor',
    'Cookie',
    'Content-Length',
    'Expect',
    'Host',
    'X-Api-Key',
    'Range',
    'X-Paystack-Signature',
  ],
] as [string, ...string[]];
const HEADER_VALUES = [
  ...[
    'application/json',
    'application/json;charset=utf-16',
    'application/x-www-form-urlencoded',
    'text/plain',
    'gzip',
    'identity',
    'http',
    'https,http',
  ],
  ...['application/pdf', 'application/pdf;q=0.1, */*', 'application/*;q=2', 'a'.repeat(128)],
  ...['Bearer ', 'Basic YTpi', 'bearer x y', '0123456789abcdef', 'idem-key-of-the-fuzzer', '*/*', 'chunked'],
  ...TEXTS,
] as [string, ...string[]];

/** Changes the bytes of the body. */
const bytes: Mutation = (event, random) => {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  const at = random.between(0, body.length);
  const end = Math.min(body.length, at + random.between(0, 8));
  const changed = random.pick([
    () => Buffer.concat([body.subarray(0, at), body.subarray(end)]),
    () => Buffer.concat([body.subarray(0, end), body.subarray(at)]),
    () => body.subarray(0, at),
    () => Buffer.concat([body.subarray(0, at), Buffer.from(random.pick(TOKENS)), body.subarray(at)]),
    () => Buffer.concat([body.subarray(0, at), Buffer.from([random.between(0, 255)]), body.subarray(end)]),
    () => Buffer.concat([body, Buffer.alloc(random.between(0, 6000), 0x20)]),
  ])();
  event.body = changed.toString(event.isBase64Encoded ? 'base64' : 'latin1');
};

/** Changes the value or the name of a member of the JSON, or adds or removes a member. */
const member: Mutation = (event, random) => {
  const json = readJson(event);
  if (typeof json !== 'object' || json === null) return bytes(event, random);
  const entries = Object.entries(json);
  const at = random.between(0, Math.max(0, entries.length - 1));
  const [name = '', value] = entries[at] ?? [];
  random.pick<() => unknown>([
    () => entries.splice(at, 1),
    () => entries.splice(at, 1, [name, random.pick(VALUES)]),
    () => entries.splice(at, 1, [random.pick(TEXTS), value]),
    () => entries.push([random.pick(TEXTS), random.pick(VALUES)]),
    () => entries.splice(at, 1, [name, `${String(value)}${random.pick(TEXTS)}`]),
    () => entries.splice(at, 1, [name, Array.from({ length: random.between(0, 900) }, () => 0)]),
  ])();
  // Does not stringify an object, so that names can be repeated.
  const members = entries.map(([key, inner]) => `${JSON.stringify(key)}:${JSON.stringify(inner) ?? 'null'}`);
  const text = `{${members.join(',')}}`;
  event.body = event.isBase64Encoded ? Buffer.from(text).toString('base64') : text;
};

const wholeBody: Mutation = (event, random) => {
  const text = JSON.stringify(random.pick(VALUES)) ?? '';
  event.body = random.chance(0.2) ? null : text;
  event.isBase64Encoded = random.chance(0.3);
};

const headers: Mutation = (event, random) => {
  const name = random.pick(HEADERS);
  const { multiValueHeaders: all } = event;
  const before = (Object.hasOwn(all, name) && all[name]) || [];
  // Defined rather than assigned, so that `__proto__` is a header like any other.
  const set = (header: string, value: string[] | undefined) =>
    Object.defineProperty(all, header, { value, enumerable: true, writable: true, configurable: true });
  random.pick<() => unknown>([
    () => delete all[name],
    () => set(name, [random.pick(HEADER_VALUES)]),
    () => set(name, [...before, random.pick(HEADER_VALUES)]),
    () => set(name, []),
    () => set(name, undefined),
    () => set(name.toUpperCase(), [random.pick(HEADER_VALUES)]),
  ])();
};

/** Changes the Authorization header: inserts a string, removes a character, or changes the scheme or the case. */
const key: Mutation = (event, random) => {
  const [value = ''] = event.multiValueHeaders['Authorization'] ?? [];
  const at = random.between(0, value.length);
  const changed = random.pick([
    `${value.slice(0, at)}${random.pick(TEXTS)}${value.slice(at)}`,
    `${value.slice(0, at)}${value.slice(at + 1)}`,
    value.replace('Bearer ', random.pick(['', 'bearer  ', 'Basic ', 'Token ', 'Bearer\t'])),
    value.toUpperCase(),
  ]);
  event.multiValueHeaders['Authorization'] = [changed];
};

const query: Mutation = (event, random) => {
  const names = ['limit', 'cursor', 'from', 'to', 'type', 'kind', 'reference', 'trxref', 'key', ...TEXTS] as [
    string,
    ...string[],
  ];
  const given = event.multiValueQueryStringParameters ?? {};
  const values = random.chance(0.2) ? [random.pick(TEXTS), random.pick(TEXTS)] : [random.pick(TEXTS)];
  event.multiValueQueryStringParameters = { ...given, [random.pick(names)]: values };
};

const path: Mutation = (event, random) => {
  const name = random.pick(['request_id', 'token', 'reference', 'number', 'proxy']);
  event.pathParameters = random.chance(0.1)
    ? null
    : { [name]: random.pick(TEXTS).repeat(random.between(1, 3)) };
};

const address: Mutation = (event, random) => {
  event.requestContext.identity.sourceIp = random.pick([
    '',
    '::1',
    '10.0.0.1',
    '256.1.1.1',
    '::ffff:203.0.113.7',
  ]);
};

const MUTATIONS: readonly [Mutation, ...Mutation[]] = [
  ...([bytes, bytes, bytes, member, member, member] as const),
  ...([headers, headers, key, query, path, wholeBody, address] as const),
];

export function mutate(event: OpenEvent, random: Random): void {
  for (let times = random.between(1, 4); times > 0; times -= 1) random.pick(MUTATIONS)(event, random);
}

function readJson(event: OpenEvent): unknown {
  try {
    return JSON.parse(Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8').toString());
  } catch {
    return undefined;
  }
}
