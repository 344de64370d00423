import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { cacheable } from '../../../shared/http/cacheable.ts';
import { compress } from '../../../shared/http/compress.ts';
import { publicRoute, type Run } from '../../../shared/http/public-route.ts';
import { invoke } from '../../security/in-process.ts';

const TEXT = 'A sentence that repeats itself. '.repeat(100);

const content = (body: string): Run =>
  cacheable({ kind: 'document', status: 200, contentType: 'text/plain', body }, 'public');

const read = (body: string, ...acceptEncoding: string[]) =>
  invoke(publicRoute('a-document', content(body)), { headers: { 'accept-encoding': acceptEncoding } });

const plainText = ({ body, isBase64Encoded }: APIGatewayProxyResult) =>
  isBase64Encoded ? gunzipSync(Buffer.from(body, 'base64')).toString() : body;

describe('a response is compressed', () => {
  test.each([
    'gzip',
    'x-gzip',
    'GZIP',
    'deflate, gzip, br',
    'gzip;q=0.001',
    'br;q=1.0, gzip ; q=0.5',
    '*',
    'identity;q=0, *;q=0.1',
  ])('for Accept-Encoding %s', async (accepted) => {
    const response = await read(TEXT, accepted);
    expect(response.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
    expect(response.isBase64Encoded).toBe(true);
    expect(response.body.length).toBeLessThan(TEXT.length);
    expect(plainText(response)).toBe(TEXT);
  });

  test('for two Accept-Encoding headers, one of which accepts gzip', async () => {
    expect((await read(TEXT, 'br', 'gzip')).headers).toHaveProperty('Content-Encoding');
  });
});

describe('a response stays uncompressed', () => {
  test.each([
    '',
    'identity',
    'br, deflate',
    'gzip;q=0',
    'gzip;q=0.000',
    '*, gzip;q=0',
    '*;q=0',
    'gzipped',
    'gzip;q=x',
  ])('for Accept-Encoding "%s"', async (accepted) => {
    const response = await read(TEXT, accepted);
    expect(response).toMatchObject({ body: TEXT, headers: { Vary: 'Accept-Encoding' } });
    expect(response.headers).not.toHaveProperty('Content-Encoding');
  });

  test('without the header, or if it is small', async () => {
    expect((await read(TEXT)).body).toBe(TEXT);
    const small = await read(TEXT.slice(0, 1_023), 'gzip');
    expect(small).toMatchObject({ body: TEXT.slice(0, 1_023), headers: { Vary: 'Accept-Encoding' } });
    expect((await read(TEXT.slice(0, 1_024), 'gzip')).headers).toHaveProperty('Content-Encoding');
  });
});

test('the compressed and the plain content have the same weak ETag, and a 304 also has Vary', async () => {
  const tags = [await read(TEXT, 'gzip'), await read(TEXT)].map(({ headers }) => headers?.['ETag']);
  expect(tags[0]).toBe(tags[1]);
  expect(tags[0]).toMatch(/^W\//);
  const headers = { 'accept-encoding': ['gzip'], 'if-none-match': [String(tags[0])] };
  const again = await invoke(publicRoute('a-document', content(TEXT)), { headers });
  expect(again).toMatchObject({ statusCode: 304, body: '', headers: { Vary: 'Accept-Encoding' } });
  expect(again.headers).not.toHaveProperty('Content-Encoding');
});

test("the largest response that may be charged stays below Lambda's 6 MB limit, even if gzip cannot reduce it", () => {
  const body = randomBytes(4_000_000)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, 'x')
    .padEnd(4_000_000, 'y');
  const event = { multiValueHeaders: { 'Accept-Encoding': ['gzip'] } };
  const sent = compress({ statusCode: 200, headers: {}, body }, event as never);
  expect(JSON.stringify(sent).length).toBeLessThan(6 * 1024 * 1024);
});
