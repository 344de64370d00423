import { beforeAll, describe, expect, test } from '@jest/globals';
import { baseUrl, get, logLines, number, organisation, post } from '../support/service.ts';

/**
 * Compressed responses over HTTP. The client in these tests decompresses them, and shows the headers as they were sent.
 */

const customer = await organisation();
const GZIP = { 'Accept-Encoding': 'gzip' };
const PLAIN = { 'Accept-Encoding': 'identity' };
const NIN = number();

beforeAll(async () => {
  await post('/v1/ng/nin-basic', { nin: NIN }, { key: customer.live });
});

test('a record is compressed for clients that accept gzip, charged once and logged as usual', async () => {
  const before = (await customer.balance()).available;
  const [packed, plain] = [
    await post('/v1/ng/nin-basic', { nin: NIN }, { key: customer.live, headers: GZIP }),
    await post('/v1/ng/nin-basic', { nin: NIN }, { key: customer.live, headers: PLAIN }),
  ];
  expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
    'gzip',
    null,
  ]);
  for (const { status, headers, json } of [packed, plain]) {
    expect([status, headers.get('vary'), headers.get('x-credits-charged')]).toEqual([
      200,
      'Accept-Encoding',
      '1',
    ]);
    const lines = logLines(json?.meta.request_id ?? '').filter(({ message }) => message === 'request');
    expect(lines).toEqual([expect.objectContaining({ code: 'NIN_VERIFIED', credits_charged: 1 })]);
  }
  expect(packed.json?.data).toEqual(plain.json?.data);
  expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.bytes.length);
  expect(before - (await customer.balance()).available).toBe(2);
});

describe('the OpenAPI document', () => {
  const DOCUMENT = '/v1/openapi.json';

  test('is compressed to less than a fifth of its size, with the same ETag', async () => {
    const [packed, plain] = [await get(DOCUMENT, { headers: GZIP }), await get(DOCUMENT, { headers: PLAIN })];
    expect(packed.text).toBe(plain.text);
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(plain.bytes.length / 5);
    expect(packed.headers.get('etag')).toBe(plain.headers.get('etag'));
    expect(packed.headers.get('cache-control')).toBe('public, max-age=3600');
  });

  test('has the same headers for HEAD as for a compressed GET', async () => {
    const [head, whole] = [
      await get(DOCUMENT, { headers: GZIP, method: 'HEAD' }),
      await get(DOCUMENT, { headers: GZIP }),
    ];
    expect(head.text).toBe('');
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary', 'etag'])
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
  });

  test('lists one server only: the address that the client used', async () => {
    for (const path of [DOCUMENT, `/api${DOCUMENT}/`]) {
      const { servers } = JSON.parse((await get(path, { headers: GZIP })).text);
      expect([path, servers]).toEqual([path, [{ url: baseUrl, description: 'This service.' }]]);
    }
  });
});

test('a slip is not compressed', async () => {
  const slip = await post(
    '/v1/ng/nin/slip/download',
    { nin: NIN, slip_type: 'regular' },
    { key: customer.live, headers: GZIP },
  );
  expect([slip.status, slip.headers.get('content-encoding')]).toEqual([200, null]);
  expect(Buffer.from(slip.bytes.subarray(0, 5)).toString()).toBe('%PDF-');
});
