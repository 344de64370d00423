import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isPrivateAddress, publicLookup } from '../../shared/core/public-address.ts';
import { checkBaseUrl } from '../../shared/registries/transport/address.ts';
import { type HttpRequest, requestJson } from '../../shared/registries/transport/http-client.ts';
import { startDouble } from '../support/registries/double.ts';
import {
  type Behaviour,
  type HostileServer,
  startHostileServer,
} from '../support/registries/hostile-server.ts';

let hostile: HostileServer;
beforeAll(async () => {
  hostile = await startHostileServer();
});
afterAll(() => hostile.stop());

function request(baseUrl: string, more: Partial<HttpRequest> = {}) {
  return requestJson({ method: 'GET', url: new URL(baseUrl), deadlineMs: Date.now() + 2_000, ...more });
}

describe('a bad response is a result, not an exception', () => {
  test.each<[Behaviour, unknown]>([
    ['half a body', { kind: 'invalid', detail: 'truncated' }],
    ['50 MB, announced', { kind: 'invalid', detail: 'too-large' }],
    ['50 MB, streamed', { kind: 'invalid', detail: 'too-large' }],
    ['redirect to metadata', { kind: 'invalid', detail: 'redirect' }],
    ['not HTTP', { kind: 'invalid', detail: 'not-http' }],
    ['huge header', { kind: 'invalid', detail: 'not-http' }],
    ['gzip', { kind: 'invalid', detail: 'encoded' }],
    ['HTML with 200', { kind: 'response', status: 200, json: undefined }],
    ['not UTF-8', { kind: 'response', status: 200, json: undefined }],
    ['deep nesting', { kind: 'invalid', detail: 'too-many-values' }],
    ['one byte in each chunk', { kind: 'invalid', detail: 'too-many-chunks' }],
    ['null with 200', { kind: 'response', status: 200, json: null }],
    ['HTML with 503', { kind: 'response', status: 503, json: undefined }],
    ['reset after the request', { kind: 'unreachable', sent: true, detail: 'ECONNRESET' }],
    ['close after the request', { kind: 'unreachable', sent: true, detail: 'ECONNRESET' }],
  ])('%s', async (behaviour, result) => {
    hostile.behaviour = behaviour;
    const before = hostile.connections();
    expect(await request(hostile.baseUrl)).toEqual(result);
    expect(hostile.connections() - before).toBe(1);
  });
});

describe('the deadline covers the whole request', () => {
  test.each<Behaviour>(['silence', 'drip', 'half a header'])('%s', async (behaviour) => {
    hostile.behaviour = behaviour;
    const started = Date.now();
    const result = await request(hostile.baseUrl, { deadlineMs: started + 300 });
    if (behaviour !== 'half a header')
      expect(result).toEqual({ kind: 'timeout', sent: true, detail: 'after-sending' });
    // Without the deadline, the request would take 20 s or more. The margin is for a busy machine.
    expect(Date.now() - started).toBeLessThan(8_000);
  });

  test('a response may take longer than idle sockets are kept open', async () => {
    hostile.behaviour = (socket) =>
      socket.once('data', () =>
        setTimeout(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'), 4_500),
      );
    const result = await request(hostile.baseUrl, { deadlineMs: Date.now() + 8_000 });
    expect(result).toEqual({ kind: 'response', status: 200, json: {} });
  });

  test('nothing is sent after the deadline', async () => {
    const before = hostile.connections();
    const result = await request(hostile.baseUrl, { deadlineMs: Date.now() - 1 });
    expect(result).toEqual({ kind: 'timeout', sent: false, detail: 'no-time-left' });
    expect(hostile.connections()).toBe(before);
  });
});

describe('a request that may have been sent is not repeated', () => {
  test('after a refused connection, the result says that nothing was sent', async () => {
    const gone = await startHostileServer();
    await gone.stop();
    expect(await request(gone.baseUrl)).toEqual({ kind: 'unreachable', sent: false, detail: 'ECONNREFUSED' });
  });

  test('a request is not repeated after a reset of a reused socket', async () => {
    // Responds to the first request and keeps its socket. Resets it once the second request has been sent on it.
    let requests = 0;
    hostile.behaviour = (socket) =>
      socket.on('data', () => {
        requests += 1;
        if (requests === 1) {
          socket.write('HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\n{}');
        } else socket.resetAndDestroy();
      });
    const before = hostile.connections();
    expect(await request(hostile.baseUrl)).toEqual({ kind: 'response', status: 200, json: {} });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await request(hostile.baseUrl)).toEqual({ kind: 'unreachable', sent: true, detail: 'ECONNRESET' });
    expect(requests).toBe(2);
    expect(hostile.connections() - before).toBe(1);
  });
});

test('an extra response is not used for the next request', async () => {
  let requests = 0;
  const response = (n: number) =>
    `HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 7\r\n\r\n{"n":${n}}`;
  hostile.behaviour = (socket) =>
    socket.on('data', () => {
      requests += 1;
      socket.write(requests === 1 ? response(1) + response(6) : response(2));
    });
  const first = await request(hostile.baseUrl);
  const second = await request(hostile.baseUrl);
  expect([first, second]).not.toContainEqual({ kind: 'response', status: 200, json: { n: 6 } });
  expect(second).toEqual({ kind: 'response', status: 200, json: { n: 2 } });
});

test('a request contains its JSON body and headers, and the result has status and body', async () => {
  const double = await startDouble(() => ({ status: 429, body: { a: 1 } }));
  const result = await request(double.baseUrl, {
    method: 'POST',
    body: { n: 'ọ' },
    headers: { 'x-key': 'k' },
  });
  expect(result).toEqual({ kind: 'response', status: 429, json: { a: 1 } });
  expect(double.requests[0]).toMatchObject({ method: 'POST', json: { n: 'ọ' }, headers: { 'x-key': 'k' } });
  await double.stop();
});

test('a number that has more digits than JavaScript can hold arrives as text with all its digits', async () => {
  const body = '{"customer_id":18446744073709551615,"count":3}';
  const double = await startDouble(() => ({ status: 200, body }));
  try {
    const json = { customer_id: '18446744073709551615', count: 3 };
    expect(await request(double.baseUrl)).toMatchObject({ kind: 'response', json });
  } finally {
    await double.stop();
  }
});

test('a header value cannot add another header', async () => {
  await expect(request(hostile.baseUrl, { headers: { a: 'b\r\nc: d' } })).rejects.toThrow(
    'Invalid character',
  );
});

describe('a registry address', () => {
  const rules = { hosts: ['api.registry.example', '.on.aws'], allowLocal: false };
  test.each([
    'https://api.registry.example',
    'https://api.registry.example/v2',
    'https://x.lambda-url.eu.on.aws/',
  ])('%s is accepted', (text) => {
    expect(checkBaseUrl(text, rules).href).toContain('https://');
  });

  test.each([
    'http://api.registry.example',
    'https://api.registry.example@169.254.169.254',
    'https://user:secret@api.registry.example',
    'https://api.registry.example.evil.example',
    'https://evil-on.aws.example',
    'https://api.registry.example:8443',
    'https://169.254.169.254/latest/meta-data',
    'https://127.0.0.1',
    'https://2130706433',
    'https://[::1]',
    'https://localhost',
    'file:///etc/passwd',
    'https://api.registry.example/?to=elsewhere',
    'not a url',
  ])('%s is rejected', (text) => {
    expect(() => checkBaseUrl(text, rules)).toThrow(/registry base address/);
  });

  test('may be a loopback address if local addresses are permitted, but no other private address', () => {
    const local = { ...rules, allowLocal: true };
    expect(checkBaseUrl('http://127.0.0.1:9999', local).port).toBe('9999');
    expect(() => checkBaseUrl('http://10.0.0.1', local)).toThrow();
    expect(() => checkBaseUrl('http://169.254.169.254', local)).toThrow();
  });

  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.20.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '::10.0.0.1',
    '::ffff:0:10.0.0.1',
  ])('%s is private', (address) => {
    expect(isPrivateAddress(address)).toBe(true);
  });

  test.each(['8.8.8.8', '2001:4860:4860::8888'])('%s is public', (address) => {
    expect(isPrivateAddress(address)).toBe(false);
  });

  test('that resolves to a private address is rejected, so that DNS rebinding has no effect', async () => {
    const code = await new Promise((resolve) =>
      publicLookup('localhost', { all: true }, (error) =>
        resolve((error as NodeJS.ErrnoException | null)?.code),
      ),
    );
    expect(code).toBe('EPRIVATEADDRESS');
    const result = await request('https://localhost:9');
    expect(result).toEqual({ kind: 'unreachable', sent: false, detail: 'EPRIVATEADDRESS' });
  });
});
