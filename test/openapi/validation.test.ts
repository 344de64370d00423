import { describe, expect, test } from '@jest/globals';
import { documentedCodes, ROUTE_NAMES } from '../../infra/openapi/route-codes.ts';
import { ROUTES } from '../../infra/routes.ts';
import { CATALOGUE } from '../../shared/core/errors.ts';
import { failureEnvelope } from '../../shared/http/envelope.ts';
import { requestProblems, responseProblems, validateExchange } from '../support/openapi-validation.ts';

const META = { request_id: 'req_0123456789ab', timestamp: '2026-01-02T03:04:05.678Z' };
const HEADERS = {
  'Content-Type': 'application/json',
  'X-Request-Id': META.request_id,
  'X-Credits-Charged': '0',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  RateLimit: '"requests";r=19;t=1',
  'RateLimit-Policy': '"requests";q=20;w=2',
  'Retry-After': '5',
};
const failure = (code: Parameters<typeof failureEnvelope>[0], idType: 'NIN' | 'BVN' | '' = 'NIN') =>
  JSON.stringify(failureEnvelope(code, idType, 'Sandbox', META));

test('every route of the API is documented', () => {
  const names = [...ROUTES.map(({ name }) => name), 'unknown-route'];
  expect([...ROUTE_NAMES].sort()).toEqual(names.sort());
});

describe('the validator', () => {
  test('accepts each documented code of NIN Basic with its status, in any form of the path', () => {
    for (const code of documentedCodes('nin-basic')) {
      const { status } = CATALOGUE[code];
      for (const route of ['nin-basic', 'POST /v1/ng/nin-basic', 'POST /api/v1/ng/nin-basic/'] as const)
        expect([code, responseProblems(route, status, HEADERS, failure(code))]).toEqual([code, []]);
    }
  });

  test.each([
    ['a code of another route', 'nin-basic', 404, HEADERS, failure('RECORD_NOT_FOUND')],
    ['a code with a different status', 'nin-basic', 400, HEADERS, failure('INSUFFICIENT_FUNDS')],
    ['a different ID type', 'nin-basic', 402, HEADERS, failure('INSUFFICIENT_FUNDS', 'BVN')],
    ['a status that is not documented', 'nin-basic', 418, HEADERS, failure('INVALID_SCHEMA')],
    [
      'a different content type',
      'nin-basic',
      400,
      { ...HEADERS, 'Content-Type': 'text/plain' },
      failure('INVALID_SCHEMA'),
    ],
    [
      'a missing X-Credits-Charged header',
      'nin-basic',
      400,
      { ...HEADERS, 'X-Credits-Charged': undefined },
      failure('INVALID_SCHEMA'),
    ],
    [
      'a missing Retry-After header',
      'nin-basic',
      503,
      { ...HEADERS, 'Retry-After': undefined },
      failure('SERVICE_UNAVAILABLE'),
    ],
    ['an unknown field', 'nin-basic', 400, HEADERS, failure('INVALID_SCHEMA').replace('{', '{"extra":1,')],
    [
      'a summary of a different type',
      'nin-basic',
      400,
      HEADERS,
      failure('INVALID_SCHEMA').replace('"NIN","provider', '"BVN","provider'),
    ],
    ['data on a failure', 'nin-basic', 400, HEADERS, failure('INVALID_SCHEMA').replace('null', '{}')],
    ['INVALID_SCHEMA on an unknown path', 'GET /v1/nothing', 400, HEADERS, failure('INVALID_SCHEMA')],
  ] as const)('rejects %s', (_, route, status, headers, body) => {
    expect(responseProblems(route, status, headers, body)).not.toEqual([]);
  });

  test('accepts the documented response to a request for an unknown path', () => {
    expect(responseProblems('GET /v1/nothing', 404, HEADERS, failure('ROUTE_NOT_FOUND', ''))).toEqual([]);
  });

  test.each([
    ['nin-basic', { id_number: '12345678901' }, true],
    ['nin-basic', { nin: '12345678901', consent: 'ref 1' }, true],
    ['nin-basic', { nin: '12345678901', consent: 'ref 12345678901' }, false],
    ['nin-slip', { nin: '12345678901', slip_type: 'regular', reason: 'two\nlines' }, false],
    ['nin-basic', { nin: '12345678901', id_number: '12345678902' }, false],
    ['nin-basic', { id_number: ' 1234 567-8901' }, true],
    ['nin-basic', { id_number: '1234567890' }, false],
    ['nin-basic', { id_number: '12345678901', company_type: 'RC' }, false],
    ['cac-basic', { id_number: 'bn7000' }, true],
    ['cac-basic', { rc_number: 'LLP7000' }, true],
    ['cac-basic', { rc_number: '7000', company_type: 'BN' }, true],
    ['cac-basic', { rc_number: '7000' }, false],
    ['cac-basic', { rc_number: '7000', company_type: 'PLC' }, false],
    ['cac-basic', { company_type: 'BN' }, false],
    ['cac-basic', { id_number: 'RC7', rc_number: '7', company_type: 'BN' }, false],
    ['cac-basic', { id_number: 'RC7', rc_number: 'RC7' }, true],
    ['tin-basic', { tin: '123456780001' }, true],
    ['tin-basic', { tin: '1234567890' }, true],
    ['tin-basic', { tin: '1234567890123' }, true],
    ['tin-basic', { tin: '12345678901' }, true],
    ['tin-basic', { tin: 'RC 7' }, true],
    ['tin-basic', { tin: '123456789012345' }, false],
    ['nin-basic', { nin: 'AB123456789012YZ' }, true],
    ['nin-slip', { nin: 'AB123456789012YZ', slip_type: 'regular' }, false],
    ['nin-basic', { id_number: 12345678901 }, false],
    ['nin-basic', {}, false],
    ['nin-slip', { nin: '12345678901', slip_type: 'premium' }, true],
    ['nin-slip', { nin: '12345678901', slip_type: 'gold' }, false],
    ['nin-slip', { nin: '12345678901', slip_type: 'premium', match: { lastname: 'Ola' } }, true],
    ['nin-slip', { nin: '12345678901', slip_type: 'premium', match: {} }, false],
    [
      'nin-slip',
      { nin: '12345678901', slip_type: 'premium', match: { lastname: 'Ola' }, match_only: true },
      false,
    ],
    ['verify-identity', { country: 'NG', id_type: 'CAC', params: { id_number: 'RC1' } }, true],
    ['verify-identity', { country: 'NG', id_type: 'CAC', params: { id_number: '12345678901' } }, false],
    ['verify-identity', { country: 'NG', id_type: 'CAC', params: { id_number: '7000' } }, false],
    [
      'verify-identity',
      { country: 'NG', id_type: 'CAC', params: { id_number: '7000', company_type: 'IT' } },
      true,
    ],
    [
      'verify-identity',
      { country: 'NG', id_type: 'NIN', params: { id_number: '12345678901', company_type: 'RC' } },
      false,
    ],
    ['verify-identity', { country: 'NG', id_type: 'TIN', params: { id_number: '12345678-0001' } }, true],
    [
      'verify-identity',
      { country: 'NG', id_type: 'TIN', level: 'advanced', params: { id_number: '12345678-0001' } },
      false,
    ],
    [
      'verify-identity',
      { country: 'NG', id_type: 'NUBAN', params: { id_number: '0123456785', bank_code: '058' } },
      true,
    ],
    [
      'verify-identity',
      { country: 'NG', id_type: 'TIN', params: { id_number: '12345678-0001', bank_code: '058' } },
      false,
    ],
    [
      'verify-identity',
      { country: 'NG', id_type: 'NUBAN', match: { lastname: 'Ola' }, params: { id_number: '0123456785' } },
      false,
    ],
    [
      'verify-identity',
      { country: 'NG', id_type: 'BVN', method: 'biometric', params: { id_number: '12345678901' } },
      false,
    ],
  ] as const)('checks requests: %s %j', (route, body, isDocumented) => {
    expect(requestProblems(route, body).length === 0).toBe(isDocumented);
  });
});

describe('the request and response of an API test', () => {
  const request = {
    method: 'POST',
    path: '/v1/ng/nin-basic',
    body: { nin: '12345678901' },
    isPlain: true,
  };
  const response = (code: Parameters<typeof failure>[0]) => ({
    status: CATALOGUE[code].status,
    headers: new Headers(HEADERS as unknown as Record<string, string>),
    text: failure(code),
    json: { code },
  });

  test('pass if a documented body was rejected, but not as malformed', () => {
    expect(() => validateExchange(request, response('INSUFFICIENT_FUNDS'))).not.toThrow();
  });

  test('fail if the response is undocumented', () => {
    expect(() => validateExchange(request, response('RECORD_NOT_FOUND'))).toThrow(/not as documented/);
  });

  test('fail if a documented body was rejected as malformed', () => {
    expect(() => validateExchange(request, response('INVALID_SCHEMA'))).toThrow(/rejected a documented body/);
    const wrong = { ...request, body: { nin: 1 } };
    expect(() => validateExchange(wrong, response('INVALID_SCHEMA'))).not.toThrow();
    const withHeaders = { ...request, isPlain: false };
    expect(() => validateExchange(withHeaders, response('INVALID_SCHEMA'))).not.toThrow();
  });

  test('fail if an undocumented body was accepted', () => {
    const path = '/v1/ng/tin-basic';
    const data = {
      tin: '12345678-0001',
      name: 'A',
      tin_format: 'FIRS',
      tax_office: '',
      registration_date: '',
      business_type: '',
      rc_number: '',
      email: '',
      phone: '',
    };
    const summary = {
      verified: true,
      verification_type: 'TIN',
      provider: 'Sandbox',
      confidence_score: 1,
    };
    const found = { success: true, code: 'TIN_VERIFIED', message: 'TIN verified.', verification_type: 'TIN' };
    const text = JSON.stringify({ ...found, summary, data, meta: META });
    const served = { ...response('INVALID_SCHEMA'), status: 200, text, json: { code: 'TIN_VERIFIED' } };
    const sent = (body: unknown) => ({ ...request, path, body });

    expect(() => validateExchange(sent({ tin: data.tin }), served)).not.toThrow();
    expect(() => validateExchange(sent({ tin: data.tin, id_number: data.tin }), served)).not.toThrow();
    expect(() => validateExchange(sent({ tin: data.tin, cost: 0 }), served)).toThrow(
      /accepted an undocumented/,
    );
  });
});
