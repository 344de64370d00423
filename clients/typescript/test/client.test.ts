import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { checkNumber, ID_TYPES } from '../src/checks.ts';
import {
  IdentityClient,
  IdentityError,
  isValidBvn,
  isValidCac,
  isValidNin,
  isValidNuban,
  isValidTin,
  safely,
  VERSION,
} from '../src/index.ts';
import { VirtualClock } from './conformance/virtual-clock.ts';
import { API_KEY, clientOf, FOUND, NUMBER, success } from './fake-fetch.ts';

const BASE_URL = 'https://api.example.com';
const found = () => success(FOUND);

afterEach(() => {
  jest.restoreAllMocks();
});

/** Returns the error of a call that must fail with an IdentityError. */
async function errorOf(call: Promise<unknown>): Promise<IdentityError> {
  const outcome = await safely(call);
  if (outcome.ok) throw new Error('The call succeeded.');
  return outcome.error;
}

describe('a request', () => {
  test('goes to the route of the type and level, with the documented body', async () => {
    const { client, requests } = clientOf(({ url, body }) => {
      const type = body['id_type'] ?? /ng\/(\w+)-/.exec(url)?.[1]?.toUpperCase();
      return success({ ...FOUND, code: `${type}_VERIFIED`, data: {} });
    });
    const common = { reference: 'customer 4711', consent: 'consent-7', reason: 'account opening' };
    await client.verify('NIN', NUMBER, common);
    await client.verify('BVN', NUMBER, { advance: true });
    await client.verify('CAC', '7000', { companyType: 'BN', advance: true });
    await client.verify('TIN', '12345678-0001');
    await client.verify('NUBAN', '0123456789', { bankCode: '058' });
    await client.verifyGateway('NIN', NUMBER);
    await client.verifyGateway('BVN', NUMBER, { level: 'advanced', method: 'biometric' });

    const gateway = { country: 'NG', params: { id_number: NUMBER } };
    expect(requests.map(({ url, body }) => [url.slice(BASE_URL.length), body])).toEqual([
      ['/api/v1/ng/nin-basic/', { id_number: NUMBER, ...common }],
      ['/api/v1/ng/bvn-premium/', { id_number: NUMBER }],
      ['/api/v1/ng/cac-premium/', { id_number: '7000', company_type: 'BN' }],
      ['/api/v1/ng/tin-basic/', { id_number: '12345678-0001' }],
      ['/api/v1/ng/nuban-basic/', { id_number: '0123456789', bank_code: '058' }],
      ['/api/v1/identities/verify/', { ...gateway, id_type: 'NIN', method: 'identity', level: 'basic' }],
      ['/api/v1/identities/verify/', { ...gateway, id_type: 'BVN', method: 'biometric', level: 'advanced' }],
    ]);
    expect(new Set(requests.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(requests.length);
  });

  test('carries the caller’s headers and the client’s own', async () => {
    const headers = { traceparent: '00-trace' };
    const { client, requests } = clientOf(found, { headers });
    await client.verify('NIN', NUMBER, { idempotencyKey: 'own-key-0001' });

    const [sent] = requests;
    expect(sent?.headers.get('traceparent')).toBe('00-trace');
    expect(sent?.headers.get('Authorization')).toBe(`Bearer ${API_KEY}`);
    expect(sent?.headers.get('Idempotency-Key')).toBe('own-key-0001');
    expect(sent?.headers.get('User-Agent')).toBe(`ng-identity/${VERSION} typescript`);
    expect(sent?.init).toMatchObject({ redirect: 'manual', cache: 'no-store' });
  });

  test.each([
    [`${BASE_URL}/identity/`, `${BASE_URL}/identity/api/v1/ng/nin-basic/`],
    [`${BASE_URL}/identity/v1`, `${BASE_URL}/identity/api/v1/ng/nin-basic/`],
    [`${BASE_URL}/api/v1/`, `${BASE_URL}/api/v1/ng/nin-basic/`],
    ['https://api', 'https://api/api/v1/ng/nin-basic/'],
  ])('for the base URL %s goes to %s', async (baseUrl, url) => {
    const { client, requests } = clientOf(found, { baseUrl });
    await client.verify('NIN', NUMBER);
    expect(requests[0]?.url).toBe(url);
  });
});

test.each(['Idempotency-Key', 'authorization', 'user-agent'])(
  'the setting headers cannot contain %s',
  (name) => {
    const headers = { [name]: 'a-value-of-the-caller' };
    expect(() => clientOf(found, { headers })).toThrow(`The client sets the header ${name} itself.`);
  },
);

test('requests for a slip, as bytes or as a stream, contain the details to confirm', async () => {
  const pdf = () =>
    new Response('%PDF-1.7\n%%EOF', { status: 200, headers: { 'Content-Type': 'application/pdf' } });
  const { client, requests } = clientOf(pdf);
  const match = { lastname: 'Ola' };
  await client.downloadSlip(NUMBER, 'regular', { match });
  await client.slipStream(NUMBER, 'regular', { match });
  await client.downloadSlip(NUMBER, 'regular');
  const slip = { nin: NUMBER, slip_type: 'regular' };
  expect(requests.map(({ body }) => body)).toEqual([{ ...slip, match }, { ...slip, match }, slip]);
});

test.each([
  ['NIN', '\ufeff12345678901\n'],
  ['NIN', 'ab012345678910yz'],
  ['CAC', 'RC-1234567'],
  ['TIN', '12345678901'],
  ['TIN', 'RC 1234567'],
] as const)('the %s %j is accepted', (idType, number) => {
  expect(() => checkNumber(idType, number)).not.toThrow();
});

describe('invalid input', () => {
  const { client, requests } = clientOf(found);
  const untyped = client as unknown as Record<string, (...input: unknown[]) => Promise<unknown>>;

  test.each([
    ['verify', ['NINN', NUMBER], `idType must be one of ${ID_TYPES.join(', ')}.`],
    ['verify', ['TIN', '1234567890', { advance: true }], 'idType must be one of NIN, BVN, CAC.'],
    ['verify', ['NIN', 12345678901], 'The NIN must be a string: a number loses leading zeros.'],
    ['verify', ['NIN', NUMBER, { bankCode: '058' }], 'bankCode is available for NUBAN only.'],
    ['verify', ['NIN', NUMBER, { companyType: 'RC' }], 'companyType is available for CAC only.'],
    ['verify', ['CAC', '7000', { companyType: 'XX' }], 'companyType must be one of RC, BN, IT, LP, LLP.'],
    ['verify', ['NIN', NUMBER, { idempotencyKey: 'short' }], 'idempotencyKey must have 8 to 255 printable'],
    ['verify', ['NIN', NUMBER, { timeoutMs: 0 }], 'timeoutMs must be a number from 1 to 86400000.'],
    ['verifyGateway', ['TIN', '1234567890', { level: 'advanced' }], 'idType must be one of NIN, BVN, CAC.'],
    ['verify', ['NIN', NUMBER, { matchOnly: true }], 'matchOnly requires match.'],
    ['verify', ['NIN', NUMBER, { signal: 5 }], 'signal must be an AbortSignal.'],
    ['verifyGateway', ['NIN', NUMBER, { bankCode: '058' }], 'bankCode is available for NUBAN only.'],
    ['verifyGateway', ['NIN', NUMBER, { method: 'biometric' }], "method 'biometric' is available for"],
    ['downloadSlip', [NUMBER, 'wrong'], 'slipType must be one of regular, improved, premium.'],
    [
      'verify',
      ['NIN', NUMBER, { match_only: true }],
      'Unknown option "match_only". Did you mean "matchOnly"?',
    ],
    [
      'verify',
      ['NIN', NUMBER, { level: 'advanced' }],
      'Unknown option "level". Known options: advance, match,',
    ],
    ['verifyGateway', ['NIN', NUMBER, { advance: true }], 'Unknown option "advance". Known options: level,'],
    [
      'downloadSlip',
      [NUMBER, 'regular', { idempotency_key: 'own-key-0001' }],
      'Unknown option "idempotency_key"',
    ],
    [
      'startTopUp',
      [10, { return_url: 'https://x' }],
      'Unknown option "return_url". Did you mean "returnUrl"?',
    ],
    ['verification', ['../wallet'], 'A request ID must be req_ followed by 12 characters'],
  ])('to %s, %j, throws a TypeError before any request', async (method, input, message) => {
    const failure = await untyped[method]?.(...input).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TypeError);
    expect((failure as TypeError).message.startsWith(message)).toBe(true);
    expect((failure as TypeError).message).not.toContain(NUMBER);
    expect(requests).toEqual([]);
  });

  test.each([
    ['verify', ['NIN', '1234'], 'The NIN must be exactly 11 digits, or a virtual NIN.'],
    ['verify', ['NIN', '１２３４５６７８９０１'], 'The NIN must be exactly 11 digits, or a virtual NIN.'],
    ['slipStream', ['1234', 'premium'], 'The NIN must be exactly 11 digits, or a virtual NIN.'],
    [
      'verify',
      ['CAC', '7000'],
      'The CAC number must be RC, BN, IT, LP or LLP followed by 1 to 8 digits, or digits with companyType.',
    ],
    [
      'verify',
      ['CAC', 'RC7000', { companyType: 'BN' }],
      'The CAC number and companyType name different types.',
    ],
  ])(
    'the malformed number of %s, %j, is a validation error of the client',
    async (method, input, message) => {
      const error = await errorOf(untyped[method]?.(...input) ?? Promise.resolve());
      const expected = {
        kind: 'validation',
        reason: 'wrong_format',
        code: undefined,
        charged: false,
        message,
      };
      expect(error).toMatchObject({ ...expected, retryable: false });
      expect(requests).toEqual([]);
    },
  );

  test('is recognised without a call', () => {
    expect([isValidNin(NUMBER), isValidNin('1234'), isValidNin(12345678901)]).toEqual([true, false, false]);
    expect([isValidBvn(NUMBER), isValidTin('12345678-0001'), isValidNuban('0123456789')]).toEqual([
      true,
      true,
      true,
    ]);
    expect([isValidCac('RC7000'), isValidCac('7000'), isValidCac('7000', 'BN')]).toEqual([true, false, true]);
  });
});

test.each([
  ['23/08/1957', '23-08-1957'],
  [' 3.8.1957 ', '03-08-1957'],
  ['1957-08-23', '1957-08-23'],
  [new Date('1957-08-23'), '23-08-1957'],
  [new Date(1957, 7, 23, 12, 30), '23-08-1957'],
])('the birthdate %s is sent as %s', async (birthdate, sent) => {
  const { client, requests } = clientOf(found);
  await client.verify('NIN', NUMBER, { match: { birthdate, gender: 'Male' } });
  await client.verify('NIN', NUMBER, { match: { birthdate, gender: 'M' } });
  const matches = requests.map(({ body }) => body['match']);
  expect(matches).toEqual([
    { birthdate: sent, gender: 'male' },
    { birthdate: sent, gender: 'm' },
  ]);
});

test('the headers and the rate limit of a response are available', async () => {
  const headers = { RateLimit: '"requests";r=19;t=1', 'RateLimit-Policy': '"requests";q=20;w=2' };
  const rateLimit = { limit: 20, remaining: 19, resetMs: 1_000 };
  const ok = clientOf(() => Response.json(FOUND, { headers })).client;
  expect(ok.rateLimit).toBeUndefined();
  const result = await ok.verify('NIN', NUMBER);
  expect([result.rateLimit, ok.rateLimit]).toEqual([rateLimit, rateLimit]);
  expect(result.headers['ratelimit']).toBe(headers.RateLimit);

  const failing = clientOf(() => Response.json({}, { status: 402, headers })).client;
  const error = await errorOf(failing.verify('NIN', NUMBER));
  expect([error.rateLimit, failing.rateLimit]).toEqual([rateLimit, rateLimit]);
  expect(error.headers?.['ratelimit-policy']).toBe(headers['RateLimit-Policy']);
  expect(inspect(error)).not.toContain('ratelimit');
});

test('an unknown option for a list is rejected, and an unknown option without a value is ignored', async () => {
  const { client, requests } = clientOf(found);
  const filters = { page_size: 10 } as object;
  expect(() => client.verifications(filters)).toThrow('Unknown option "page_size". Did you mean "pageSize"?');
  expect(requests).toEqual([]);
  await client.verify('NIN', NUMBER, { unknown: undefined } as object);
  expect(requests).toHaveLength(1);
});

describe('settings', () => {
  const names = ['NG_IDENTITY_API_KEY', 'NG_IDENTITY_BASE_URL'] as const;
  const before = names.map((name) => process.env[name]);
  beforeEach(() => {
    for (const name of names) delete process.env[name];
  });
  afterEach(() => {
    for (const [index, name] of names.entries()) {
      delete process.env[name];
      if (before[index] !== undefined) process.env[name] = before[index];
    }
  });

  test('come from the environment', async () => {
    process.env['NG_IDENTITY_API_KEY'] = API_KEY;
    process.env['NG_IDENTITY_BASE_URL'] = BASE_URL;
    const urls: string[] = [];
    const client = new IdentityClient({
      fetch: async (url) => {
        urls.push(url);
        return found();
      },
    });
    await client.verify('NIN', NUMBER);
    expect(urls).toEqual([`${BASE_URL}/api/v1/ng/nin-basic/`]);
  });

  test.each([
    [{ apiKey: API_KEY }, 'No base URL: pass baseUrl'],
    [{ apiKey: API_KEY, baseUrl: 'api.example.com' }, 'baseUrl must look like'],
    [{ apiKey: API_KEY, baseUrl: 'http://api.example.com' }, 'baseUrl must start with https://'],
    [{ apiKey: API_KEY, baseUrl: 'http://127.0.0.1.example.com' }, 'baseUrl must start with https://'],
    [{ apiKey: API_KEY, baseUrl: 'https://me:secret@api.example.com' }, 'baseUrl must have no user'],
    [{ apiKey: API_KEY, baseUrl: `${BASE_URL}?key=1` }, 'baseUrl must have no user'],
    [{ apiKey: API_KEY, base_url: BASE_URL }, 'Unknown option "base_url". Did you mean "baseUrl"?'],
    [{ apiKey: API_KEY, baseUrl: BASE_URL, fetch: 5 as never }, 'fetch must be a function.'],
    [{ apiKey: API_KEY, baseUrl: BASE_URL, maxRetries: -1 }, 'maxRetries must be a number from 0'],
  ])('%j are rejected without showing the key', (options, message) => {
    const create = () => new IdentityClient(options);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
    expect(create).not.toThrow(API_KEY);
  });

  test.each([
    [undefined, 'No API key: pass apiKey', 'missing_key'],
    ['', 'No API key: pass apiKey', 'missing_key'],
    [`${API_KEY}\r\nHost: x`, 'The API key contains a space, a line break', 'malformed_key'],
  ])('with the key %j are rejected as unauthenticated', async (apiKey, message, reason) => {
    const error = await errorOf((async () => new IdentityClient({ apiKey, baseUrl: BASE_URL }))());
    expect(error).toMatchObject({ kind: 'authentication', reason, charged: false, retryable: false });
    expect(error.message).toContain(message);
    expect(String(error)).not.toContain(API_KEY);
  });

  test.each(['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:3000', BASE_URL])(
    'accept the base URL %s',
    (baseUrl) => {
      expect(new IdentityClient({ apiKey: API_KEY, baseUrl })).toBeInstanceOf(IdentityClient);
    },
  );
});

describe('the API key', () => {
  /** Returns everything that a program could print about a value. */
  const printed = (value: unknown): string =>
    [inspect(value, { depth: 9, showHidden: true }), String(value), JSON.stringify(value)].join('\n');

  test('appears in no client, result or error', async () => {
    const leaking = Object.assign(new Error(`failed with Bearer ${API_KEY}`), { request: { key: API_KEY } });
    const { client } = clientOf(() => Promise.reject(leaking), { maxRetries: 0 });
    const error = await errorOf(client.verify('NIN', NUMBER));
    const { client: other } = clientOf(found);
    const result = await other.verify('NIN', NUMBER);

    expect(error.kind).toBe('transport');
    expect(error.cause).toMatchObject({ message: 'failed with ...' });
    for (const value of [client, error, error.stack, result]) expect(printed(value)).not.toContain(API_KEY);
  });
});

test('an error of a failed connection names its cause', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const client = new IdentityClient({ apiKey: API_KEY, baseUrl: `http://127.0.0.1:${port}`, maxRetries: 0 });
  const error = await errorOf(client.verify('NIN', NUMBER));
  expect(error.cause).toMatchObject({
    name: 'TypeError',
    message: 'fetch failed',
    cause: { code: 'ECONNREFUSED', message: expect.stringContaining(`127.0.0.1:${port}`) },
  });
  expect(inspect(error)).toContain('Error: connect ECONNREFUSED 127.0.0.1:');
});

describe('a result', () => {
  test('contains the details of the response, and prints no personal data', async () => {
    const headers = { 'X-Credits-Charged': '0', 'Idempotent-Replayed': 'true' };
    const { client } = clientOf(() => Response.json(FOUND, { headers }));
    const result = await client.verify('NIN', NUMBER, { idempotencyKey: 'own-key-0001' });

    expect({ ...result }).toEqual({
      data: FOUND.data,
      code: 'NIN_VERIFIED',
      message: 'NIN verified.',
      verificationType: 'NIN',
      verified: true,
      provider: 'Sandbox',
      confidenceScore: 1,
      requestId: 'req_0123456789ab',
      timestamp: '2026-01-15T09:30:00.000Z',
      creditsCharged: 0,
      replayed: true,
      idempotencyKey: 'own-key-0001',
      headers: expect.objectContaining({ 'x-credits-charged': '0' }),
      rateLimit: undefined,
    });
    expect(inspect(result)).toContain('req_0123456789ab');
    expect(inspect(result)).not.toContain(FOUND.data.lastname);
  });

  test('is a plain object to frameworks that send it to the browser', async () => {
    const result = await clientOf(found).client.verify('NIN', NUMBER);
    const prototype = Object.getPrototypeOf(result);
    expect(Object.getPrototypeOf(prototype)).toBeNull();
    expect(Object.getOwnPropertyNames(prototype).sort()).toEqual(
      Object.getOwnPropertyNames(Object.prototype).sort(),
    );
    expect(Object.getOwnPropertySymbols(result)).toEqual([]);
    expect(`${result}`).toBe('[object Object]');
  });
});

describe('an error', () => {
  const notFound = () =>
    Response.json(
      {
        success: false,
        code: 'NIN_NOT_FOUND',
        message: 'The registry has no record for this number.',
        error: { reason: 'no_record', field: 'id_number', hint: 'Check the number.' },
        meta: { request_id: 'req_0123456789ab' },
      },
      { status: 400, headers: { 'X-Credits-Charged': '0' } },
    );

  test('is narrowed by its code', async () => {
    const error = await errorOf(clientOf(notFound).client.verify('NIN', NUMBER));
    expect(error).toBeInstanceOf(IdentityError);
    expect(error).toBeInstanceOf(Error);
    expect(error.constructor.name).toBe('IdentityError');
    expect(inspect(error)).toMatch(/^IdentityError: The registry has no record/);
    if (error.code !== 'NIN_NOT_FOUND') throw error;
    const {
      kind,
      reason,
    }: { kind: 'not_found'; reason: 'no_record' | 'wrong_format' | 'not_verified' | undefined } = error;
    expect([kind, reason]).toEqual(['not_found', 'no_record']);
    expect(error.message).toBe(
      'The registry has no record for this number. (NIN_NOT_FOUND, HTTP 400, req_0123456789ab)',
    );
  });

  test('does not repeat the message of another server, which may contain the API key', async () => {
    const echo = { code: 'NO_MATCH', message: `No match for Bearer ${API_KEY}` };
    const { client } = clientOf(() => Response.json(echo, { status: 400 }));
    const error = await errorOf(client.verify('NIN', NUMBER));
    expect(error.code).toBe('NO_MATCH');
    expect(error.message).not.toContain(API_KEY);
  });

  test('says how long to wait if Retry-After is a date', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const { client } = clientOf(
      () => new Response('', { status: 429, headers: { 'Retry-After': inAnHour } }),
    );
    const { retryAfterMs = 0 } = await errorOf(client.verify('NIN', NUMBER));
    // HTTP dates have whole seconds, and the test may be slow.
    expect(retryAfterMs).toBeGreaterThan(3_000_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });

  const failure = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error('made up'), { code }) });

  test('about an invalid certificate is not retried, and nothing is charged', async () => {
    const fetch = jest.spyOn(globalThis, 'fetch').mockRejectedValue(failure('DEPTH_ZERO_SELF_SIGNED_CERT'));
    const error = await errorOf(clientOf(found, { fetch: undefined }).client.verify('NIN', NUMBER));
    expect(error).toMatchObject({ kind: 'transport', charged: false, retryable: false });
    expect(error.message).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test.each(['ECONNREFUSED', 'DEPTH_ZERO_SELF_SIGNED_CERT'])(
    'of a supplied `fetch` leaves the charge unknown for %s, because `fetch` may have retried',
    async (code) => {
      const { client } = clientOf(() => Promise.reject(failure(code)), { maxRetries: 0 });
      const error = await errorOf(client.verify('NIN', NUMBER));
      expect(error).toMatchObject({ kind: 'transport', charged: undefined });
      expect(error.message).not.toContain('Nothing was sent');
      expect(await errorOf(client.balance())).toMatchObject({ kind: 'transport', charged: false });
    },
  );

  test('that is not an IdentityError is rethrown by `safely`', async () => {
    await expect(safely(Promise.reject(new RangeError('mine')))).rejects.toThrow('mine');
    await expect(safely(Promise.resolve(7))).resolves.toEqual({ ok: true, value: 7 });
  });
});

describe('a signal', () => {
  test('that many calls share has one listener, and none after them', async () => {
    const { signal } = new AbortController();
    const added = jest.spyOn(signal, 'addEventListener');
    const removed = jest.spyOn(signal, 'removeEventListener');
    const { client } = clientOf(found);
    await Promise.all(Array.from({ length: 20 }, () => client.verify('NIN', NUMBER, { signal })));
    expect([added, removed].map((spy) => spy.mock.calls.length)).toEqual([1, 1]);
  });

  test('ends a call before its first request', async () => {
    const { client, requests } = clientOf(found);
    const error = await errorOf(client.verify('NIN', NUMBER, { signal: AbortSignal.abort('shutdown') }));
    expect(error).toMatchObject({ kind: 'aborted', charged: false, cause: 'shutdown' });
    expect(requests).toEqual([]);
  });

  test('ends a request that may have been charged', async () => {
    const controller = new AbortController();
    const { client, requests } = clientOf(() => {
      controller.abort('shutdown');
      return new Promise(() => {});
    });
    const error = await errorOf(client.verify('NIN', NUMBER, { signal: controller.signal }));
    expect(error).toMatchObject({ kind: 'aborted', charged: undefined, cause: 'shutdown' });
    expect(error.idempotencyKey).toBe(requests[0]?.headers.get('Idempotency-Key'));
  });

  test('ends the wait before a retry', async () => {
    const controller = new AbortController();
    const { client, requests } = clientOf(() => {
      setTimeout(() => controller.abort('shutdown'), 10);
      return new Response('', { status: 429, headers: { 'Retry-After': '20' } });
    });
    const options = { signal: controller.signal, timeoutMs: 60_000 };
    const error = await errorOf(client.verify('NIN', NUMBER, options));
    expect(error).toMatchObject({ kind: 'aborted', charged: false });
    expect(requests).toHaveLength(1);
  });
});

test('the timeout ends a call even if `fetch` ignores its signal', async () => {
  using clock = new VirtualClock();
  const { client } = clientOf(() => {
    queueMicrotask(() => clock.advanceToTimer());
    return new Promise(() => {});
  });
  const error = await errorOf(client.verify('NIN', NUMBER, { timeoutMs: 5_000 }));
  expect(error).toMatchObject({ kind: 'timeout', charged: undefined });
  expect(clock.nowMs).toBe(5_000);
});

describe('a list', () => {
  const page = (transactions: unknown[], cursor: string | null) =>
    success({
      success: true,
      code: 'WALLET_TRANSACTIONS',
      data: {
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-01-15T09:30:00.000Z',
        transactions,
        next_cursor: cursor,
      },
    });

  const debit = (id: string) => ({ id, type: 'debit' });

  test('of transactions is fetched page by page, in the range of the first page', async () => {
    const { client, requests } = clientOf((_, attempt) =>
      attempt === 1 ? page([debit('a')], 'next') : page([debit('b'), debit('c')], null),
    );
    const ids: string[] = [];
    const options = { to: new Date('2026-01-15T09:30:00Z'), type: 'debit', pageSize: 2 } as const;
    for await (const { id } of client.transactions(options)) ids.push(id);

    expect(ids).toEqual(['a', 'b', 'c']);
    const to = '2026-01-15T09%3A30%3A00.000Z';
    expect(requests.map(({ url }) => url.split('?')[1])).toEqual([
      `to=${to}&type=debit&limit=2`,
      `from=2026-01-01T00%3A00%3A00.000Z&to=${to}&type=debit&limit=2&cursor=next`,
    ]);
  });

  test('of requests keeps its filters from page to page', async () => {
    const filters = { reference: 'customer 4711', service: 'nin-basic', outcome: 'FOUND' } as const;
    const range = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-15T09:30:00.000Z' };
    const list = (verifications: unknown[], rejected: unknown[], next_cursor: string | null) =>
      success({
        success: true,
        code: 'VERIFICATIONS',
        data: { ...range, verifications, rejected, next_cursor },
      });
    const { client, requests } = clientOf((_, attempt) =>
      attempt < 3
        ? list([{ request_id: 'a', ...filters }], [], attempt === 1 ? 'next' : null)
        : list([], [{ request_id: 'a' }], null),
    );
    const found: unknown[] = [];
    for await (const entry of client.verifications({ ...filters, from: '2026-01-01' })) found.push(entry);
    for await (const entry of client.rejectedRequests({ pageSize: 9 })) found.push(entry);

    expect(found).toHaveLength(3);
    const query = 'from=2026-01-01&reference=customer+4711&service=nin-basic&outcome=FOUND';
    expect(requests.map(({ url }) => url.split('?')[1])).toEqual([
      query,
      `${query}&cursor=next`,
      'outcome=REJECTED&limit=9',
    ]);
  });

  test('fetches only the pages that are read', async () => {
    const { client, requests } = clientOf(() => page([{ id: 'a' }], 'next'));
    for await (const { id } of client.transactions()) if (id) break;
    expect(requests).toHaveLength(1);
  });
});

describe('a slip as a stream', () => {
  const pdf = (body: ReadableStream<Uint8Array>) =>
    new Response(body, { headers: { 'Content-Type': 'application/pdf', 'X-Credits-Charged': '1' } });
  const bytes = (text: string) => new TextEncoder().encode(text);

  test('contains all bytes, even if the first ones arrive in pieces', async () => {
    const chunks = ['%P', 'DF-1.7\n', 'An invented slip.', '\n%%EOF\n'];
    const { client } = clientOf(() => pdf(ReadableStream.from(chunks.map(bytes))));
    const stream = await client.slipStream(NUMBER, 'premium');
    expect(await new Response(stream).text()).toBe(chunks.join(''));
  });

  test('is retried until the first bytes of a PDF arrive', async () => {
    using clock = new VirtualClock();
    const { client, requests } = clientOf((_, attempt) =>
      pdf(ReadableStream.from([bytes(attempt === 1 ? '<html>' : '%PDF-1.7')])),
    );
    expect(await new Response(await client.slipStream(NUMBER, 'premium')).text()).toBe('%PDF-1.7');
    expect(requests).toHaveLength(2);
    expect(clock.waitsMs).toHaveLength(1);
  });

  test('fails with the idempotency key of the call if the connection breaks', async () => {
    async function* broken() {
      yield bytes('%PDF-1.7');
      throw new TypeError('terminated');
    }
    const { client, requests } = clientOf(() => pdf(ReadableStream.from(broken())));
    const stream = await client.slipStream(NUMBER, 'premium');
    const error = await errorOf(new Response(stream).text());
    expect(error).toMatchObject({ kind: 'transport', charged: undefined, retryable: true });
    expect(error.idempotencyKey).toBe(requests[0]?.headers.get('Idempotency-Key'));
  });

  test('fails if the signal is aborted, and ends the download', async () => {
    const cancelled: unknown[] = [];
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('%PDF-1.7')),
      cancel: (reason) => void cancelled.push(reason),
    });
    const controller = new AbortController();
    const { client } = clientOf(() => pdf(source));
    const stream = await client.slipStream(NUMBER, 'premium', { signal: controller.signal });
    const text = errorOf(new Response(stream).text());
    controller.abort('shutdown');
    expect(await text).toMatchObject({ kind: 'aborted', charged: undefined, cause: 'shutdown' });
    expect(cancelled).toEqual(['shutdown']);
  });

  test('ends the download if the reader cancels it', async () => {
    const cancelled: unknown[] = [];
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('%PDF-1.7')),
      cancel: (reason) => void cancelled.push(reason),
    });
    const { client } = clientOf(() => pdf(source));
    await (await client.slipStream(NUMBER, 'premium')).cancel('enough');
    expect(cancelled).toEqual(['enough']);
  });
});
