import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { CONTENT_SECURITY_POLICY, SECURITY_HEADERS } from '../../../shared/http/console/security-headers.ts';
import { serveSite } from '../../../shared/http/console/site.ts';
import { readSiteFiles } from '../../../shared/http/console/site-files.ts';

const INDEX = '<!doctype html><title>Console</title>';
const SCRIPT = 'console.log("pages");';
const SCRIPT_PATH = '/assets/main-4F2A9C01.js';
const parent = mkdtempSync(join(tmpdir(), 'site-'));
const directory = join(parent, 'site');
let serve: ReturnType<typeof serveSite>;

beforeAll(() => {
  mkdirSync(join(directory, 'assets'), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), 'not a page');
  writeFileSync(join(directory, 'icon.png'), Buffer.from([0x89, 0x50, 0x00, 0xff]));
  for (const [path, text] of [
    ['/index.html', INDEX],
    [SCRIPT_PATH, SCRIPT],
  ] as const) {
    writeFileSync(join(directory, path), text);
    writeFileSync(`${join(directory, path)}.gz`, gzipSync(text));
    writeFileSync(`${join(directory, path)}.br`, brotliCompressSync(text));
  }
  serve = serveSite(readSiteFiles(directory));
});
afterAll(() => rmSync(parent, { recursive: true }));

function request(
  path: string,
  {
    method = 'GET',
    resource = '/{proxy+}',
    headers = {},
  }: { method?: string; resource?: string; headers?: Record<string, string> } = {},
) {
  const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, one]) => [name, [one]]));
  const event = { path, httpMethod: method, resource, headers, multiValueHeaders };
  return serve(event as unknown as APIGatewayProxyEvent);
}

const bytesOf = ({ body }: { body: string }) => Buffer.from(body, 'base64');

describe('the pages of the console:', () => {
  test.each(['/', '/keys', '/team', '/invitation', '/a/page/that/does/not/exist', '/index.html'])(
    '%s is the index, which browsers do not store',
    async (path) => {
      const { statusCode, headers = {}, ...response } = await request(path);
      expect(statusCode).toBe(200);
      expect(bytesOf(response).toString()).toBe(INDEX);
      expect(headers).toMatchObject({
        'Content-Type': 'text/html; charset=utf-8',
        'Cache-Control': 'no-store',
        Vary: 'Accept-Encoding',
      });
    },
  );

  test('a file with a hash in its name is cached for a year', async () => {
    const { statusCode, headers = {}, ...response } = await request(SCRIPT_PATH);
    expect(statusCode).toBe(200);
    expect(bytesOf(response).toString()).toBe(SCRIPT);
    expect(headers).toMatchObject({
      'Content-Type': 'text/javascript; charset=utf-8',
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });

  test.each([
    ['br, gzip', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip;q=1, br;q=0', 'gzip', gunzipSync],
    ['*', 'br', brotliDecompressSync],
  ] as const)(
    'for Accept-Encoding %s the content is compressed with %s',
    async (accepted, encoding, read) => {
      const { headers = {}, ...response } = await request('/keys', {
        headers: { 'Accept-Encoding': accepted },
      });
      expect(headers['Content-Encoding']).toBe(encoding);
      expect(read(bytesOf(response)).toString()).toBe(INDEX);
    },
  );

  test.each(['identity', 'deflate', '', 'br;q=0, gzip;q=0'])(
    'for Accept-Encoding %j the content is not compressed',
    async (accepted) => {
      const { headers = {}, ...response } = await request('/', { headers: { 'Accept-Encoding': accepted } });
      expect(headers).not.toHaveProperty('Content-Encoding');
      expect(bytesOf(response).toString()).toBe(INDEX);
    },
  );

  test('binary content arrives unchanged', async () => {
    const response = await request('/icon.png', { headers: { 'Accept-Encoding': 'br' } });
    expect([...bytesOf(response)]).toEqual([0x89, 0x50, 0x00, 0xff]);
    expect(response.headers).toMatchObject({ 'Content-Type': 'image/png', 'Cache-Control': 'no-store' });
  });

  test('a browser that has the content receives 304 without a body, and each encoding has its own ETag', async () => {
    const etags = new Set<string>();
    for (const encoding of ['br', 'gzip', 'identity']) {
      const first = await request('/', { headers: { 'Accept-Encoding': encoding } });
      const etag = String(first.headers?.['ETag']);
      etags.add(etag);
      const headers = { 'Accept-Encoding': encoding, 'If-None-Match': etag };
      const again = await request('/', { headers });
      expect(again).toMatchObject({ statusCode: 304, body: '', headers: { ETag: etag } });
      expect((await request('/', { headers: { ...headers, 'If-None-Match': '"other"' } })).statusCode).toBe(
        200,
      );
    }
    expect(etags.size).toBe(3);
  });

  test('HEAD returns the same headers as GET', async () => {
    const get = await request('/keys');
    expect((await request('/keys', { method: 'HEAD' })).headers).toEqual(get.headers);
  });

  test.each([
    '/assets/main-00000000.js',
    '/favicon.ico',
    '/assets/main-4F2A9C01.js.br',
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/..%2f.secret.txt',
    '/%2e%2e/secret.txt',
    '/.env',
    '/__proto__.json',
  ])('%s is neither a page nor a file', async (path) => {
    const response = await request(path);
    expect(response.statusCode).toBe(404);
    expect(JSON.parse(response.body)).toMatchObject({ success: false, code: 'ROUTE_NOT_FOUND', data: null });
    expect(response.headers).toMatchObject({ 'Cache-Control': 'no-store' });
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('%s of a page is rejected', async (method) => {
    expect(await request('/keys', { method })).toMatchObject({
      statusCode: 405,
      headers: { Allow: 'GET, HEAD' },
    });
  });
});

describe('console paths that no function serves:', () => {
  test("another method on a route gets 405 and the route's methods", async () => {
    const resource = '/console/api/keys';
    expect(await request(resource, { method: 'DELETE', resource })).toMatchObject({
      statusCode: 405,
      headers: { Allow: 'GET, POST' },
    });
    const members = { method: 'GET', resource: '/console/api/members/{id}' };
    expect(await request('/console/api/members/1', members)).toMatchObject({
      statusCode: 405,
      headers: { Allow: 'PUT' },
    });
  });

  test.each(['/console/api', '/console/api/', '/console/api/wallet', '/console/api/keys.json'])(
    '%s is not a page',
    async (path) => {
      const { statusCode, body } = await request(path);
      expect(statusCode).toBe(404);
      expect(JSON.parse(body)).toMatchObject({
        code: 'ROUTE_NOT_FOUND',
        meta: { request_id: expect.stringMatching(/^req_/) },
      });
    },
  );
});

describe('the security headers of the console:', () => {
  test.each([
    ['/', 'GET', '/{proxy+}'],
    [SCRIPT_PATH, 'GET', '/{proxy+}'],
    ['/missing.js', 'GET', '/{proxy+}'],
    ['/keys', 'POST', '/{proxy+}'],
    ['/console/api/keys', 'DELETE', '/console/api/keys'],
  ])('%s with %s has all headers', async (path, method, resource) => {
    expect((await request(path, { method, resource })).headers).toMatchObject(SECURITY_HEADERS);
  });

  test("they allow only the console's files, no frames and no inline scripts", () => {
    expect(CONTENT_SECURITY_POLICY).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
        "trusted-types 'none'",
    );
    expect(SECURITY_HEADERS).toMatchObject({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
    expect(SECURITY_HEADERS['Permissions-Policy']).toContain('camera=()');
    expect(SECURITY_HEADERS['Strict-Transport-Security']).toMatch(/^max-age=\d{8}/);
  });
});

describe('reading the built pages', () => {
  test('fails without an index, or if a file has an unknown type', () => {
    const empty = mkdtempSync(join(tmpdir(), 'no-site-'));
    expect(() => readSiteFiles(empty)).toThrow('have no /index.html');
    writeFileSync(join(empty, 'index.html'), INDEX);
    writeFileSync(join(empty, 'program.exe'), '');
    expect(() => readSiteFiles(empty)).toThrow('no known content type');
    rmSync(empty, { recursive: true });
  });
});
