import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { get, number, organisation, post } from '../support/service.ts';
import { expectHarmless, expectRejected, rawPost, sendRaw, writtenSoFar } from './attack.ts';

/** Attacks through the request itself (S1 to S12). test/api/bad-bodies.test.ts tests every kind of invalid body. */

const NIN = '/v1/ng/nin-basic';
const GATEWAY = '/v1/identities/verify';
const who = await organisation({ credits: 20 });
const send = (body: string | Uint8Array | object, headers: Record<string, string> = {}, path = NIN) =>
  post(path, body, { key: who.live, headers });
const INVALID = { status: 400, code: 'INVALID_SCHEMA' };
const TOO_LARGE = { status: 413, code: 'PAYLOAD_TOO_LARGE' };
const NOT_JSON = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' };
const WRONG_FORMAT = { status: 400, code: 'NIN_NOT_FOUND' };

async function durationOf(act: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await act();
  return performance.now() - startedMs;
}

describe('input and parsing', () => {
  test('S1: bodies of 4,097 bytes, 1 MB, 6 MB and 10 MB', async () => {
    const body = JSON.stringify({ nin: number() });
    for (const bytes of [4097, 1_000_000, 6_000_000, 10_000_000])
      await expectRejected(who, TOO_LARGE, () => send(body.padEnd(bytes, ' ')));
    expect((await send(body.padEnd(4096, ' '))).status).toBe(200);
  });

  test('S2: JSON nested 100,000, 1,000,000 and 5,000,000 levels deep', async () => {
    for (const depth of [100_000, 1_000_000, 5_000_000]) {
      const flatMs = await durationOf(() =>
        expectRejected(who, TOO_LARGE, () => send(`{"nin":${'1'.repeat(depth)}`)),
      );
      const nestedMs = await durationOf(() =>
        expectRejected(who, TOO_LARGE, () => send(`{"nin":${'['.repeat(depth)}`)),
      );
      // A recursive parser would take much longer for nested JSON than for the same number of digits.
      expect(nestedMs).toBeLessThan(10 * flatMs + 5_000);
    }
    await expectRejected(who, INVALID, () => send(`${'['.repeat(2040)}${']'.repeat(2040)}`));
    await expectRejected(who, INVALID, () => send(`${'{"a":'.repeat(680)}1${'}'.repeat(680)}`));
  });

  test('S3: a repeated key', async () => {
    const [one, two] = [number(), number()];
    const bodies = [
      `{"nin":"${one}","nin":"${two}"}`,
      `{"nin":"${one}","\\u006ein":"${two}"}`,
      `{"nin":"${one}","id_number":"${one}","id_number":"${two}"}`,
    ];
    for (const body of bodies)
      await expectRejected(who, { ...INVALID, hidden: [one, two] }, () => send(body));
    const nested = `{"country":"NG","id_type":"NIN","params":{"id_number":"${one}","id_number":"${two}"}}`;
    await expectRejected(who, INVALID, () => send(nested, {}, GATEWAY));
  });

  test('S4: keys that pollute a prototype', async () => {
    for (const name of ['__proto__', 'constructor', 'prototype', '\\u005f_proto__']) {
      const poison = `"${name}":{"price":0,"admitted":true}`;
      await expectRejected(who, INVALID, () => send(`{"nin":"${number()}",${poison}}`));
      const nested = `{"country":"NG","id_type":"NIN","params":{"id_number":"${number()}",${poison}}}`;
      await expectRejected(who, INVALID, () => send(nested, {}, GATEWAY));
    }
    expect((await send({ nin: number('0404') })).json?.code).toBe('NIN_NOT_FOUND');
  });

  test('S5: undocumented fields', async () => {
    const extras = {
      cost: 0,
      price: 0,
      org: 'x',
      env: 'test',
      approved: true,
      provider: 'sandbox',
      free: true,
    };
    for (const [name, value] of Object.entries(extras))
      await expectRejected(who, INVALID, () => send({ nin: number(), [name]: value }));
  });

  test('S6: a number that is not a string', async () => {
    const forms = [
      '12345678901',
      '1e10',
      '99999999999999999999',
      '01234567890',
      '["12345678901"]',
      'null',
      'true',
      '{}',
    ];
    for (const form of forms) await expectRejected(who, INVALID, () => send(`{"nin":${form}}`));
  });

  test('S7: non-ASCII digits and invisible characters', async () => {
    const nin = number();
    const shift = (zero: number) => nin.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
    const forms = [
      ...[0x0660, 0x06f0, 0x0966, 0xff10, 0x1d7ce].map(shift),
      ...['\n', '\r\n', '\u0000', '\uFEFF', '\u200B', '\u200F', '\u202E', '\t'].flatMap((mark) => [
        nin + mark,
        mark + nin,
      ]),
    ];
    for (const form of forms)
      await expectRejected(who, { ...WRONG_FORMAT, hidden: [form] }, () => send({ nin: form }));
  });

  test('S8: a number that is too short, too long or empty', async () => {
    for (const length of [10, 12, 0, 1, 4000])
      await expectRejected(who, WRONG_FORMAT, () => send({ nin: '7'.repeat(length) }));
    await expectRejected(who, TOO_LARGE, () => send({ nin: '7'.repeat(1_000_000) }));
  });

  test('S9: an unsupported content type, charset or encoding', async () => {
    const body = JSON.stringify({ nin: number() });
    const types = [
      '',
      'text/plain',
      'text/json',
      'application/json; charset=utf-16',
      'application/jsonx',
      'multipart/form-data',
    ];
    for (const type of types) await expectRejected(who, NOT_JSON, () => send(body, { 'Content-Type': type }));
    const bomb = 'a'.repeat(1_000_000);
    const packed = { gzip: gzipSync(bomb), br: brotliCompressSync(bomb), deflate: gzipSync(bomb) };
    for (const [encoding, bytes] of Object.entries(packed))
      await expectRejected(who, NOT_JSON, () => send(bytes, { 'Content-Encoding': encoding }));
    await expectRejected(who, INVALID, () => send(gzipSync(body)));
    await expectRejected(who, INVALID, () => send(Buffer.from(body, 'utf16le')));
    await expectRejected(who, INVALID, () => send(Buffer.from('{"nin":"\xff\xfe"}', 'latin1')));
    // Only API Gateway decides whether a body is base64. A body that looks like base64 is treated as text.
    await expectRejected(who, INVALID, () => send(Buffer.from(body).toString('base64')));
  });

  test('S10: line breaks, NUL and 8 KB in headers', async () => {
    const body = JSON.stringify({ nin: number() });
    const evil = ['Idempotency-Key', 'X-Request-Id', 'User-Agent', 'X-Forwarded-For'];
    for (const name of evil) {
      for (const value of ['a\u0000b', 'a\rb', '\u0001'.repeat(20)])
        expect((await sendRaw([rawPost(NIN, who.live, body, [`${name}: ${value}`])])).status).not.toBe(500);
      const split = await sendRaw([rawPost(NIN, who.live, body, [`${name}: x\r\nX-Injected: yes`])]);
      expect(split.head).not.toMatch(/x-injected/i);
    }
    await expectRejected(who, INVALID, () => send(body, { 'Idempotency-Key': 'k'.repeat(8000) }));
    for (const key of ['a'.repeat(7), 'k'.repeat(256), 'tab\there 123'])
      await expectRejected(who, INVALID, () => send(body, { 'Idempotency-Key': key }));
    const expected = 'req_0123456789ab';
    const response = await send(body, { 'X-Request-Id': expected });
    expect(response.headers.get('x-request-id')).not.toBe(expected);
    expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{12}$/);
  });

  test('an Idempotency-Key that contains the number', async () => {
    const nin = number();
    const body = JSON.stringify({ nin });
    for (const key of [nin, `customer-${nin}-1`, `${nin.slice(0, 4)} ${nin.slice(4, 7)}-${nin.slice(7)}`])
      await expectRejected(who, INVALID, () => send(body, { 'Idempotency-Key': key }));
    expect((await send(body, { 'Idempotency-Key': `customer-${nin.slice(0, 9)}` })).status).toBe(200);
  });

  test('S11: headers above 10 KB, 200 headers, and repeated headers', async () => {
    const body = JSON.stringify({ nin: number() });
    const large = await sendRaw([rawPost(NIN, who.live, body, [`X-Large: ${'x'.repeat(11_000)}`])]);
    expect(large.status).toBe(431);
    const many = Array.from({ length: 200 }, (_, index) => `X-Many-${index}: 1`);
    expect((await sendRaw([rawPost(NIN, who.live, body, many)])).status).toBe(200);

    const before = await who.balance();
    const twoKeys = await sendRaw([rawPost(NIN, who.live, body, [`Authorization: Bearer ${who.live}`])]);
    expect([twoKeys.status, twoKeys.json?.code]).toEqual([401, 'INVALID_API_KEY']);
    const repeats = ['Idempotency-Key: 0123456789abcdef', 'Idempotency-Key: fedcba9876543210'];
    const twice = await sendRaw([rawPost(NIN, who.live, body, repeats)]);
    expect([twice.status, twice.json?.code]).toEqual([400, 'INVALID_SCHEMA']);
    expect(await who.balance()).toEqual(before);
  });

  test('S12: manipulated paths and methods', async () => {
    const body = JSON.stringify({ nin: number() });
    const paths = [
      ...['/v1/ng/nin-basic%2f', '/v1/ng/../ng/nin-basic%00', '/v1//ng/nin-basic', '/v1/ng/nin-basic;a=b'],
      ...['/v1/ng/nin-basic.', '/v1/ng/nin-basic/%2e%2e/nin-premium', '/V1/NG/NIN-BASIC', '/v2/ng/nin-basic'],
      ...[
        '/v1/wallet/..%2fng/nin-basic',
        '/api/api/v1/ng/nin-basic',
        '/v1/ng/nin-basic/extra',
        '/prod/v1/ng/nin-basic',
      ],
    ];
    const before = await who.balance();
    for (const path of paths) {
      const response = await sendRaw([rawPost(path, who.live, body)]);
      expect([path, response.status, response.json?.code]).toEqual([path, 404, 'ROUTE_NOT_FOUND']);
    }
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await get(NIN, { key: who.live, method });
      expectHarmless(response, { status: 405, code: 'METHOD_NOT_ALLOWED' });
    }
    const override = { 'X-HTTP-Method-Override': 'POST', 'X-Original-URL': NIN };
    expectHarmless(await get('/v1/health-check', { key: who.live, headers: override }), {
      status: 404,
      code: 'ROUTE_NOT_FOUND',
    });
    expect(await who.balance()).toEqual(before);
    expect(writtenSoFar()).not.toContain('nin-basic;a=b');
  });
});
