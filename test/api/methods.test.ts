import { beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../../infra/routes.ts';
import { type ApiResponse, get, logLines, organisation } from '../support/service.ts';

/** The methods of each path over HTTP: wrong ones get 405, and HEAD is served wherever GET is (contract A8). */

const customer = await organisation();
const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PATHS = [...new Set(ROUTES.map(({ path }) => `/v1${path.replace(/\{\w+\}/, 'none')}`))];
const MAY_GET =
  /^\/v1\/(?:me$|banks|health|openapi\.json|wallet(?!\/top-ups$)|verifications|slips|payments\/return)/;

const allowOf = (path: string) =>
  path.startsWith('/v1/slips/') ? 'GET, HEAD, POST' : MAY_GET.test(path) ? 'GET, HEAD' : 'POST';
const wrongMethods = (path: string) => METHODS.filter((method) => !allowOf(path).includes(method));

describe.each(PATHS)('%s', (path) => {
  const responses = new Map<string, ApiResponse>();
  beforeAll(async () => {
    const sent = wrongMethods(path).map(async (method) =>
      responses.set(method, await get(path, { method, key: customer.live })),
    );
    await Promise.all(sent);
  });

  test.each(wrongMethods(path))('%s gets 405 METHOD_NOT_ALLOWED with Allow', (method) => {
    const response = responses.get(method);
    expect(response?.status).toBe(405);
    expect(response?.headers.get('allow')).toBe(allowOf(path));
    expect(response?.headers.get('cache-control')).toBe('no-store');
    expect([...(response?.headers.keys() ?? [])].filter((name) => name.startsWith('access-control'))).toEqual(
      [],
    );
    if (method === 'HEAD') return;
    expect(response?.json).toEqual({
      success: false,
      code: 'METHOD_NOT_ALLOWED',
      message: `This path does not accept the HTTP method of the request. Use ${allowOf(path).replaceAll(', ', ' or ')}.`,
      verification_type: '',
      summary: { verified: false, verification_type: '', provider: '', confidence_score: 0 },
      data: null,
      meta: { request_id: response?.headers.get('x-request-id'), timestamp: expect.any(String) },
    });
  });

  test('wrong methods do not invoke the function of the route', () => {
    for (const { headers } of responses.values()) {
      const lines = logLines(headers.get('x-request-id') ?? 'none');
      expect(lines.map(({ route }) => route)).toContain('unknown-route');
      expect(lines.filter(({ route }) => route !== undefined && route !== 'unknown-route')).toEqual([]);
      expect(headers.get('x-credits-charged')).toBeNull();
    }
  });
});

test('every spelling of a path accepts the same methods, and no key is needed to list them', async () => {
  for (const path of ['/v1/banks/', '/api/v1/banks', '/api/v1/banks/']) {
    const { status, headers } = await get(path, { method: 'OPTIONS' });
    expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
  }
});

test.each([
  '/',
  '/v1',
  ...['/admin', '/.env', '/debug', '/metrics', '/swagger', '/v1/login'],
  '/api/v1/ng',
  '/v1/nothing',
  '/v1/banks/extra',
  '/v1/ng/nin-basic/x',
  '/v1/ng//nin-basic',
  '/v2/ng/nin-basic',
  '/api/ng/nin-basic',
])('S50: undocumented routes, OPTIONS and CORS: %s', async (path) => {
  for (const method of METHODS) {
    const cors = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
    const { status, headers, json } = await get(path, { method, headers: cors });
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect([method, status, headers.get('allow')]).toEqual([method, 404, null]);
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{12}$/);
    if (method !== 'HEAD') expect(json?.code).toBe('ROUTE_NOT_FOUND');
  }
});

const OF_ONE_REQUEST = new Set([
  ...['date', 'x-request-id', 'x-amzn-requestid', 'ratelimit'],
  ...['connection', 'keep-alive'],
]);
const comparable = ({ headers }: ApiResponse) => [...headers].filter(([name]) => !OF_ONE_REQUEST.has(name));

describe('HEAD', () => {
  test.each(PATHS.filter((path) => MAY_GET.test(path)))(
    'of %s returns the response of GET without a body',
    async (path) => {
      for (const key of [customer.live, 'nonsense']) {
        const call = { key, headers: { 'Accept-Encoding': 'identity' } };
        const [head, whole] = [await get(path, { ...call, method: 'HEAD' }), await get(path, call)];
        expect([head.status, head.text]).toEqual([whole.status, '']);
        expect(comparable(head)).toEqual(comparable(whole));
        expect(head.headers.get('content-length')).toBe(String(whole.bytes.length));
      }
    },
  );

  test('returns 304 for the ETag of the content', async () => {
    const { headers } = await get('/v1/openapi.json', { method: 'HEAD' });
    const etag = headers.get('etag') ?? '';
    const again = await get('/v1/openapi.json', { method: 'HEAD', headers: { 'If-None-Match': etag } });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
  });

  test('requires an API key where GET requires one', async () => {
    const { status } = await get('/v1/wallet/balance', { method: 'HEAD' });
    expect(status).toBe(401);
  });
});
