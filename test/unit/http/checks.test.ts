import { publicRoute } from '../../../shared/http/public-route.ts';
import '../../security/environment.ts';

import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { newApiKeyText } from '../../../shared/accounts/api-key.ts';
import { CATALOGUE, RETRY_BY_REASON } from '../../../shared/core/errors.ts';
import { logger } from '../../../shared/core/logger.ts';
import { verificationRoute } from '../../../shared/verifications/middleware/charged-route.ts';
import { dedicatedBody, gatewayBody } from '../../../shared/verifications/requests.ts';
import { type Caller, invoke } from '../../security/in-process.ts';
import { type MemoryService, memoryService } from '../../security/memory-service.ts';
import { askForSlip, findsAll, SOME_NIN, verifyNin } from '../../security/routes-in-memory.ts';
import { USUAL_RECORD } from '../../slips/records.ts';

/** The checks of a charged request, in memory: what each rejects, and what a rejected request must not do. */

const START_MS = Date.parse('2026-11-21T12:00:00.000Z');
const INVALID_KEY = { status: 401, code: 'INVALID_API_KEY', credits: '0' };

let service: MemoryService;
let who: Caller;
beforeEach(async () => {
  jest.spyOn(logger, 'info').mockImplementation(() => undefined);
  service = memoryService();
  service.clock.nowMs = START_MS;
  service.registry.lookUp = findsAll;
  who = await service.newCaller(10);
});

const verify = (more: Parameters<typeof verifyNin>[2] = {}, from = who) => verifyNin(service, from, more);
/** Returns what the response to a rejected request says about it. */
const rejection = async (response: ReturnType<typeof verify>) => {
  const { message, error } = JSON.parse((await response).response.body);
  return { message, ...error };
};
const withKey = (key: string, more = {}) => verify({ headers: { 'Idempotency-Key': [key] }, ...more });

describe('an API key', () => {
  test('is rejected from the moment at which it expires', async () => {
    const expiring = await service.newCaller(1, 'live', {
      key: { notAfter: new Date(START_MS + 1_000).toISOString() },
    });
    service.clock.nowMs = START_MS + 999;
    expect(await verify({}, expiring)).toMatchObject({ status: 200 });
    service.clock.nowMs += 1;
    expect(await verify({}, expiring)).toMatchObject(INVALID_KEY);
    expect(service.charges()).toHaveLength(1);
  });

  test.each(['live', 'test'] as const)(
    'in the URL is rejected, even next to a valid one: %s',
    async (env) => {
      const { text } = await service.newCaller(0, env);
      expect(await verify({ query: { key: [text] } })).toMatchObject(INVALID_KEY);
      expect(service.charges()).toEqual([]);
    },
  );

  test('is rejected if it is sent in two headers', async () => {
    const Authorization = [`Bearer ${who.text}`, `Bearer ${who.text}`];
    expect(await verify({ headers: { Authorization } })).toMatchObject(INVALID_KEY);
  });

  test('has a reason if it is rejected, which is the same for every key in the documented form', async () => {
    const used = { status: 'REVOKED', notAfter: undefined, addressRanges: undefined } as const;
    const unusable = await Promise.all([
      service.newCaller(1, 'live', { key: { ...used } }),
      service.newCaller(1, 'live', { key: { notAfter: new Date(START_MS).toISOString() } }),
      service.newCaller(1, 'live', { key: { addressRanges: ['192.0.2.0/24'] } }),
      { ...who, text: newApiKeyText('live', 'aaaaaaaaaa') },
    ]);
    const rejections = await Promise.all(unusable.map((one) => rejection(verify({}, one))));
    const headers = (...Authorization: string[]) => rejection(verify({ headers: { Authorization } }));

    expect(new Set(rejections.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(rejections[0]).toMatchObject({ reason: 'unknown_key', field: 'Authorization' });
    expect(await headers()).toMatchObject({ reason: 'missing_key' });
    expect(await headers('Bearer ')).toMatchObject({ reason: 'missing_key' });
    for (const values of [['Basic eDp5'], ['idv_live_x'], [who.text, who.text]])
      expect(await headers(...values)).toMatchObject({ reason: 'malformed_key' });
    expect(await rejection(verify({ query: { key: [who.text] } }))).toMatchObject({
      reason: 'malformed_key',
      hint: expect.stringContaining('Replace this key'),
    });
  });

  test.each([
    ['not_approved', { status: 'PENDING' }, 10],
    ['not_enabled', { services: {} }, 10],
    ['insufficient_credits', {}, 0],
  ] as const)(
    'of an organisation that may not make the request gets the reason %s',
    async (reason, changes, credits) => {
      const other = await service.newCaller(credits, 'live', { organisation: changes });
      expect(await rejection(verify({}, other))).toMatchObject({ reason });
    },
  );

  test.each(['http', 'https, http'])('is not accepted over %s', async (protocol) => {
    expect(await verify({ headers: { 'X-Forwarded-Proto': [protocol] } })).toMatchObject({
      status: 403,
      code: 'HTTPS_REQUIRED',
    });
  });
});

test.each(Object.entries(CATALOGUE).filter(([, { status }]) => [401, 402, 409, 429].includes(status)))(
  '%s always has a reason',
  (code, { message, details }) => {
    // Each rejected key has a reason of its own.
    if (['INVALID_API_KEY', 'AUTH_FAILURE'].includes(code)) return;
    expect(message).toContain(details?.hint);
  },
);

test('a response says what was charged, and that of a public route does not', async () => {
  const prices = { 'nin-basic': 3 };
  const dear = await service.newCaller(10, 'live', { organisation: { prices } });
  expect(await verify({}, dear)).toMatchObject({ status: 200, credits: '3' });
  expect(await service.balance(dear)).toMatchObject({ available: 7 });
  const information = { kind: 'information', code: 'OK', message: 'OK.', data: {} } as const;
  const { headers = {} } = await invoke(
    publicRoute('health', async () => information),
    {},
  );
  expect(headers).not.toHaveProperty('X-Credits-Charged');
});

describe('an idempotency key', () => {
  test('is for one request: other details under it are rejected, although the number is the same', async () => {
    expect(await withKey('key-of-the-client')).toMatchObject({ status: 200, credits: '1' });
    expect(await withKey('key-of-the-client', { reference: 'other' })).toMatchObject({
      status: 422,
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    const replay = await withKey('key-of-the-client');
    expect(replay).toMatchObject({ status: 200, credits: '0', headers: { 'Idempotent-Replayed': 'true' } });
    expect(service.charges()).toHaveLength(1);
  });

  test.each([
    ['id_number', 'nin'],
    ['nin', 'id_number'],
  ])('is for the same request if the number is first in %s and then in %s', async (first, second) => {
    const ask = (field: string, number = SOME_NIN) =>
      withKey('key-of-the-client', { body: JSON.stringify({ [field]: number }) });
    expect(await ask(first)).toMatchObject({ status: 200, credits: '1' });
    expect(await ask(second)).toMatchObject({ status: 200, credits: '0' });
    expect(await ask(second, '41234567891')).toMatchObject({ status: 422 });
    expect(service.charges()).toHaveLength(1);
  });

  test.each([SOME_NIN, `order-${SOME_NIN}`, '4123 456 7890', '4.1.2.3.4.5.6.7.8.9.0'])(
    'that contains the number is rejected and not stored: %s',
    async (key) => {
      expect(await withKey(key)).toMatchObject({ status: 400, code: 'INVALID_SCHEMA' });
      expect(service.writes.filter(({ sk }) => sk === 'IDEMPOTENCY')).toEqual([]);
    },
  );

  test('is returned with the response, unless it is sent twice', async () => {
    expect((await withKey('key-of-the-client')).headers).toMatchObject({
      'Idempotency-Key': 'key-of-the-client',
    });
    const twice = await verify({ headers: { 'Idempotency-Key': ['key-of-one', 'key-of-another'] } });
    expect(twice).toMatchObject({ status: 400, code: 'INVALID_SCHEMA' });
    expect(twice.headers).not.toHaveProperty('Idempotency-Key');
  });
});

test.each([
  [200, 'application/json;charset=UTF-8;odata.metadata=minimal'],
  [200, 'Application/JSON; profile="https://example.com/a;b"; charset="utf8"'],
  [200, 'application/json;'],
  [415, 'application/json; profile=x; charset=iso-8859-1'],
  [415, 'application/problem+json'],
  [415, ''],
])('is %i for a body of the type %s', async (status, type) => {
  expect(await verify({ headers: { 'Content-Type': [type] } })).toMatchObject({ status });
});

test('a reference that contains the number is rejected and not stored', async () => {
  const rejected = await verify({ reference: 'customer 4123-456-7890' });
  expect(rejected).toMatchObject({ status: 400, code: 'INVALID_SCHEMA' });
  expect(JSON.stringify(service.writes)).not.toContain('4123-456-7890');
});

test.each([
  ['nin-basic', 'match_only', 'Send it in the body.'],
  ['nin-basic', 'foo', 'Remove it.'],
  ['verify-identity', 'level', 'Send it in the body.'],
])('%s rejects the query parameter %s, free of charge', async (name, field, hint) => {
  const isGateway = name === 'verify-identity';
  const route = isGateway
    ? ({ name, errorStyle: 'gateway', body: gatewayBody } as const)
    : ({ name, idType: 'NIN', body: dedicatedBody('nin-basic') } as const);
  const params = { id_number: SOME_NIN };
  const body = JSON.stringify(isGateway ? { country: 'NG', id_type: 'NIN', params } : params);
  const input = { key: who.text, body, query: { [field]: ['true'] }, requestedAtMs: START_MS };
  const { statusCode, body: text } = await invoke(verificationRoute(route, service.deps), input);

  expect({ statusCode, ...JSON.parse(text) }).toMatchObject({
    statusCode: 400,
    code: 'INVALID_SCHEMA',
    message: `Unknown query parameter "${field}". ${hint}`,
    error: { reason: 'unknown_field', field, hint },
  });
  expect(service.charges()).toEqual([]);
});

test('a record without the photo that a biometric request needs is not worth a retry', async () => {
  service.registry.lookUp = async () => ({
    kind: 'found',
    record: { ...USUAL_RECORD, nin: SOME_NIN, photo: '' },
  });
  const route = { name: 'verify-identity', errorStyle: 'gateway', body: gatewayBody } as const;
  const params = { id_number: SOME_NIN };
  const body = { country: 'NG', id_type: 'NIN', method: 'biometric', level: 'advanced', params };
  const input = { key: who.text, body: JSON.stringify(body), requestedAtMs: START_MS };
  const response = await invoke(verificationRoute(route, service.deps), input);

  expect(JSON.parse(response.body)).toMatchObject({
    code: 'VERIFICATION_FAILED',
    message: expect.not.stringContaining('Retry'),
    error: { reason: 'no_photo', field: 'method' },
  });
  expect(RETRY_BY_REASON.VERIFICATION_FAILED?.no_photo).toBe('no');
  expect(service.charges()).toEqual([]);
});

describe('a number that selects an error of the service', () => {
  const headers = { 'Idempotency-Key': ['key-of-the-client'] };
  const send = async (ending: string, from: Caller) => {
    const { response, ...seen } = await verify({ nin: `4123456${ending}`, headers }, from);
    return { ...seen, reason: JSON.parse(response.body).error?.reason };
  };

  test.each([
    ['0401', 401, 'SUBSCRIPTION_REQUIRED', 'not_enabled', {}],
    ['0402', 402, 'INSUFFICIENT_FUNDS', 'insufficient_credits', {}],
    ['0409', 409, 'REQUEST_IN_PROGRESS', 'in_progress', { 'Retry-After': '2' }],
    ['0429', 429, 'RATE_LIMITED', 'rate_limit', { 'Retry-After': '2', RateLimit: '"requests";r=0;t=2' }],
  ])(
    'gets it with a test key only, and nothing is looked up or charged: %s',
    async (ending, status, code, reason, more) => {
      const tester = await service.newCaller(10, 'test');
      const expected = { status, code, reason, credits: '0', headers: more };
      expect(await send(ending, tester)).toMatchObject(expected);
      expect(await send(ending, tester)).toMatchObject(expected);
      expect(service.registry.calls).toBe(0);
      expect(await service.balance(tester)).toMatchObject({ available: 10, held: 0 });
      expect(await send(ending, who)).toMatchObject({ status: 200, credits: '1' });
    },
  );

  test('0520 is charged once: the outcome is unknown, and the same key then gets the record', async () => {
    const tester = await service.newCaller(10, 'test');
    expect(await send('0520', tester)).toMatchObject({
      status: 503,
      code: 'OUTCOME_UNKNOWN',
      credits: 'unknown',
    });
    expect(await send('0520', tester)).toMatchObject({ status: 200, credits: '0' });
    expect(await service.balance(tester)).toMatchObject({ available: 9 });
    expect(await send('0520', who)).toMatchObject({ status: 200, credits: '1' });
  });

  test('comes after the checks that precede its own', async () => {
    const tester = await service.newCaller(0, 'test');
    const reused = { 'Idempotency-Key': ['short'] };
    expect(await verify({ nin: '41234560402', headers: reused }, tester)).toMatchObject({ status: 400 });
    const narrow = await service.newCaller(0, 'test', { key: { scopes: ['verify:bvn-basic'] } });
    expect(await verify({ nin: '41234560409' }, narrow)).toMatchObject({ status: 401 });
  });
});

test('a slip needs a verification of the NIN with a key of the same organisation and environment', async () => {
  await verify();
  expect(await askForSlip(service, who)).toBe('NIN_NOT_FOUND');
  expect(await askForSlip(service, await service.newCaller(5))).toBe('VERIFICATION_LOG_NOT_FOUND');
});

test('the headers of the rate limit round its window up', async () => {
  const slow = await service.newCaller(5, 'live', {
    organisation: { rateLimit: { perSecond: 10, burst: 25 } },
  });
  expect((await verify({}, slow)).headers).toMatchObject({ 'RateLimit-Policy': '"requests";q=25;w=3' });
});
