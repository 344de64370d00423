import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { type ApiResponse, get, organisation, post } from '../support/service.ts';

/** Compares the table of messages in decision 12 with the responses of the service. */

const PAGE = 'docs/design/decisions/0012-methods-compression-messages.md';
const customer = await organisation();
const key = customer.live;
const NIN_BASIC = '/v1/ng/nin-basic';
const good = { id_number: '12345678901' };

const REQUESTS: Readonly<Record<string, () => Promise<ApiResponse>>> = {
  '`{"idNumber": "12345678901"}` to NIN Basic': () => post(NIN_BASIC, { idNumber: '12345678901' }, { key }),
  '`["12345678901"]` to NIN Basic': () => post(NIN_BASIC, ['12345678901'], { key }),
  '`{"id_number": "1234567890"}` to NIN Basic': () => post(NIN_BASIC, { id_number: '1234567890' }, { key }),
  '`id_type: "nin"` to the unified gateway': () =>
    post('/v1/identities/verify', { country: 'NG', id_type: 'nin', params: good }, { key }),
  'a body compressed by gzip': () =>
    post(NIN_BASIC, gzipSync(JSON.stringify(good)), { key, headers: { 'Content-Encoding': 'gzip' } }),
  '`Idempotency-Key: short`': () => post(NIN_BASIC, good, { key, headers: { 'Idempotency-Key': 'short' } }),
  'an empty body to NIN Basic': () => post(NIN_BASIC, '', { key }),
  '`?limit=1000` to the verifications': () => get('/v1/verifications?limit=1000', { key }),
  '`?outcome=found` to the verifications': () => get('/v1/verifications?outcome=found', { key }),
  '`?page=2` to the transactions': () => get('/v1/wallet/transactions?page=2', { key }),
  'GET of NIN Basic': () => get(NIN_BASIC, { key }),
  'OPTIONS of NIN Basic': () => get(NIN_BASIC, { method: 'OPTIONS' }),
  'HEAD of the health page': () => get('/v1/health', { method: 'HEAD' }),
  'the OpenAPI document with `Accept-Encoding: gzip`': () =>
    get('/v1/openapi.json', { headers: { 'Accept-Encoding': 'gzip' } }),
};

/** Headers that the table shows, in this order. */
const SHOWN = ['allow', 'content-encoding', 'cache-control', 'etag'];

/** Describes a response as the table does. */
function described({ status, json, headers }: ApiResponse): string {
  if (json?.success === false) {
    const { reason, field } = json.error ?? {};
    const about = reason === undefined ? '' : ` (\`${reason}\`${field ? `, \`${field}\`` : ''})`;
    const allow = headers.get('allow');
    return `${status} \`${json.code}\`: ${json.message}${about}${allow ? ` \`Allow: ${allow}\`` : ''}`;
  }
  const shown = SHOWN.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [name === 'etag' ? '`ETag`' : `\`${name}: ${value}\``];
  });
  return [status, ...shown].join(', ');
}

const rows = new Map(
  readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map(([, request = '', before = '', now = '']) => [request, { before, now }] as const),
);

test.each(Object.keys(REQUESTS))('%s', async (request) => {
  const response = await REQUESTS[request]?.();
  expect(response).toBeDefined();
  const now = response && described(response);
  expect(rows.get(request)?.now).toBe(now);
  expect(rows.get(request)?.before).not.toBe(now);
});

test('the table has no other rows', () => {
  expect([...rows.keys()]).toEqual(['Request', ...Object.keys(REQUESTS)]);
});
