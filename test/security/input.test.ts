import { describe, expect, test } from '@jest/globals';
import { get, number, organisation, post } from '../support/service.ts';
import { expectHarmless, expectRejected, rawPost, sendRaw, writtenSoFar } from './attack.ts';

/** Attacks through headers, paths and methods. */

const NIN = '/v1/ng/nin-basic';
const who = await organisation({ credits: 20 });
const send = (body: string | Uint8Array | object, headers: Record<string, string> = {}, path = NIN) =>
  post(path, body, { key: who.live, headers });
const INVALID = { status: 400, code: 'INVALID_SCHEMA' };
describe('input and parsing', () => {
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
