import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { ID_TYPES } from '../../shared/core/id-types.ts';
import { type ApiResponse, get, organisation, post } from '../support/service.ts';

/** What requests that are often wrong get: status, code, message, reason and field, and headers. */

const customer = await organisation();
const key = customer.live;
const NIN_BASIC = '/v1/ng/nin-basic';
const good = { id_number: '12345678901' };
const anyType = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  ID_TYPES.map((one) => `"${one}"`),
);

const CASES: readonly (readonly [request: string, send: () => Promise<ApiResponse>, response: string])[] = [
  [
    '`{"idNumber": "12345678901"}` to NIN Basic',
    () => post(NIN_BASIC, { idNumber: '12345678901' }, { key }),
    '400 `INVALID_SCHEMA`: Unknown field "idNumber". Did you mean "id_number"? (`unknown_field`, `idNumber`)',
  ],
  [
    '`["12345678901"]` to NIN Basic',
    () => post(NIN_BASIC, ['12345678901'], { key }),
    '400 `INVALID_SCHEMA`: The body must be a JSON object. Send one object, not a list. (`not_an_object`)',
  ],
  [
    '`{"id_number": "1234567890"}` to NIN Basic',
    () => post(NIN_BASIC, { id_number: '1234567890' }, { key }),
    '400 `NIN_NOT_FOUND`: id_number must be exactly 11 digits, or a virtual NIN of 16 letters and digits. Check the number. (`wrong_format`, `id_number`)',
  ],
  [
    '`id_type: "nin"` to the unified gateway',
    () => post('/v1/identities/verify', { country: 'NG', id_type: 'nin', params: good }, { key }),
    `400 \`INVALID_SCHEMA\`: The field id_type must be ${anyType}. Did you mean "NIN"? (\`wrong_value\`, \`id_type\`)`,
  ],
  [
    'a body compressed by gzip',
    () => post(NIN_BASIC, gzipSync(JSON.stringify(good)), { key, headers: { 'Content-Encoding': 'gzip' } }),
    '415 `UNSUPPORTED_MEDIA_TYPE`: The service does not accept compressed request bodies. Send the body uncompressed, without the Content-Encoding header. (`wrong_content_encoding`, `Content-Encoding`)',
  ],
  [
    '`Idempotency-Key: short`',
    () => post(NIN_BASIC, good, { key, headers: { 'Idempotency-Key': 'short' } }),
    '400 `INVALID_SCHEMA`: The Idempotency-Key must have 8 to 255 printable ASCII characters: letters, digits, punctuation and spaces. Use a random UUID. (`wrong_format`, `Idempotency-Key`)',
  ],
  [
    'an empty body to NIN Basic',
    () => post(NIN_BASIC, '', { key }),
    '400 `INVALID_SCHEMA`: The body is empty. Send a JSON object with the documented fields. (`not_json`)',
  ],
  [
    '`?limit=1000` to the verifications',
    () => get('/v1/verifications?limit=1000', { key }),
    '400 `INVALID_SCHEMA`: The query parameter limit is not valid. Send a whole number from 1 to 100. (`wrong_format`, `limit`)',
  ],
  [
    '`?outcome=found` to the verifications',
    () => get('/v1/verifications?outcome=found', { key }),
    '400 `INVALID_SCHEMA`: The query parameter outcome must be "FOUND", "NOT_FOUND", "FAILED", "UNREACHABLE", "TIMEOUT", "REFUSED", "ERROR", "ABANDONED" or "REJECTED". Did you mean "FOUND"? (`wrong_value`, `outcome`)',
  ],
  [
    '`?page=2` to the transactions',
    () => get('/v1/wallet/transactions?page=2', { key }),
    '400 `INVALID_SCHEMA`: Unknown query parameter "page". Known parameters: cursor, limit, from, to, type. (`unknown_field`, `page`)',
  ],
  [
    'GET of NIN Basic',
    () => get(NIN_BASIC, { key }),
    '405 `METHOD_NOT_ALLOWED`: This path does not accept the HTTP method of the request. Use POST. `Allow: POST`',
  ],
  [
    'OPTIONS of NIN Basic',
    () => get(NIN_BASIC, { method: 'OPTIONS' }),
    '405 `METHOD_NOT_ALLOWED`: This path does not accept the HTTP method of the request. Use POST. `Allow: POST`',
  ],
  ['HEAD of the health page', () => get('/v1/health', { method: 'HEAD' }), '200, `cache-control: no-store`'],
  [
    'the OpenAPI document with `Accept-Encoding: gzip`',
    () => get('/v1/openapi.json', { headers: { 'Accept-Encoding': 'gzip' } }),
    '200, `content-encoding: gzip`, `cache-control: public, max-age=3600`, `ETag`',
  ],
];

const SHOWN = ['allow', 'content-encoding', 'cache-control', 'etag'];

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

test.each(CASES)('%s', async (_, send, expected) => {
  expect(described(await send())).toBe(expected);
});
