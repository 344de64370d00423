import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Resolve } from '../../../shared/core/public-address.ts';
import { checkAddress } from '../../../shared/webhooks/address.ts';
import { webhookPoster } from '../../../shared/webhooks/post-webhook.ts';

/** Requests to endpoints over real sockets: the results, and the addresses that are never connected to. */

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  closers.push(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port)),
  );
}

/** Starts a receiver. Counts its connections, and collects its requests. */
async function receiver(respond: RequestListener) {
  const seen = { connections: 0, requests: [] as { headers: IncomingMessage['headers']; body: string }[] };
  const server = createServer(async (request, response) => {
    seen.requests.push({ headers: request.headers, body: await text(request) });
    respond(request, response);
  });
  server.on('connection', () => {
    seen.connections += 1;
  });
  return { seen, port: await listen(server) };
}

const local = webhookPoster({ allowLocal: true });
const post = (url: string, timeoutMs = 5_000, send = local) =>
  send({ url, headers: { 'webhook-id': 'e1' }, body: '{"id":"e1","name":"é"}', timeoutMs });

describe('a webhook request', () => {
  test('has the headers and the body as they were signed', async () => {
    const { seen, port } = await receiver((_, response) => response.writeHead(204).end());
    expect(await post(`http://127.0.0.1:${port}/hooks?token=1`)).toEqual({ kind: 'delivered', status: 204 });
    expect(seen.requests).toMatchObject([
      {
        headers: { 'webhook-id': 'e1', 'content-type': 'application/json', 'content-length': '23' },
        body: '{"id":"e1","name":"é"}',
      },
    ]);
  });

  test.each([
    [200, { kind: 'delivered', status: 200 }],
    [299, { kind: 'delivered', status: 299 }],
    [400, { kind: 'failed', reason: 'HTTP_STATUS', status: 400, text: 'body' }],
    [404, { kind: 'failed', reason: 'HTTP_STATUS', status: 404, text: 'body' }],
    [410, { kind: 'failed', reason: 'GONE', status: 410, text: 'body' }],
    [500, { kind: 'failed', reason: 'HTTP_STATUS', status: 500, text: 'body' }],
  ])('that gets the status %i has the right result', async (status, result) => {
    const { port } = await receiver((_, response) => response.writeHead(status).end('body'));
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual(result);
  });

  test('ends with the status and does not wait for a body that never ends', async () => {
    const { port } = await receiver((_, response) => response.writeHead(200).write('x'));
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({ kind: 'delivered', status: 200 });
  });

  const NIN = '12345678901';
  test.each<[string, (string | Buffer)[], string | undefined]>([
    [
      'text of any script and several lines',
      ['{\n\t"error": "ọ̀nà kò sí"\r\n}'],
      '{\n\t"error": "ọ̀nà kò sí"\r\n}',
    ],
    ['HTML', ['<script>alert(1)</script>'], '<script>alert(1)</script>'],
    [
      'a number in pieces',
      ['no record for 123-456', '-789-01, sorry'],
      'no record for ***-***-***-**, sorry',
    ],
    ['more than 2 KB', ['x'.repeat(2040), 'y'.repeat(100_000)], 'x'.repeat(2040) + 'y'.repeat(8)],
    ['2 KB that end within a character', ['x'.repeat(2047), 'é'], 'x'.repeat(2047)],
    ['2 KB that end within a number', ['x'.repeat(2040), NIN], `${'x'.repeat(2040)}********`],
    ['2 KB that end with a number', ['x'.repeat(2037), NIN], `${'x'.repeat(2037)}***********`],
    [
      '2 KB that end within an escape',
      ['x'.repeat(2030), '123456789&nbsp;01234'],
      `${'x'.repeat(2030)}*********&nbsp;***`,
    ],
    ['2 KB that end within a name', ['x'.repeat(2036), '123456789&nbsp;01'], `${'x'.repeat(2036)}*********`],
    ['nothing', [], undefined],
    ['bytes that are no text', [Buffer.from([0xff, 0xd8, 0xff])], undefined],
    ['control characters', ['a\u0000b'], undefined],
  ])('that fails has the response, if it is text: %s', async (_, pieces, text) => {
    const { port } = await receiver((__, response) => {
      response.writeHead(500);
      for (const piece of pieces) response.write(piece);
      response.end();
    });
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({
      kind: 'failed',
      reason: 'HTTP_STATUS',
      status: 500,
      text,
    });
  });

  test('that fails waits only a second for the rest of the response, whose number may be cut', async () => {
    const { port } = await receiver((_, response) => response.writeHead(410).write('Gone: 123456'));
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({
      kind: 'failed',
      reason: 'GONE',
      status: 410,
      text: 'Gone: ******',
    });
  });

  test('that fails ends after a second even if the body arrives slowly', async () => {
    const { port } = await receiver((_, response) => {
      response.writeHead(500, { 'content-length': '2000' });
      const writing = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(writing));
    });
    const result = await post(`http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({ kind: 'failed', reason: 'HTTP_STATUS', text: expect.any(String) });
    expect('text' in result && result.text?.length).toBeLessThan(1_000);
  });

  test('S92: an endpoint that redirects to an internal system', async () => {
    const target = await receiver((_, response) => response.writeHead(200).end());
    const { port } = await receiver((_, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end(),
    );
    expect(await post(`http://127.0.0.1:${port}/`)).toEqual({
      kind: 'failed',
      reason: 'REDIRECT',
      status: 307,
    });
    expect(target.seen.connections).toBe(0);
  });

  test('ends at its time limit if nothing, or only a part of the status, arrives', async () => {
    const silent = await listen(createTcpServer(() => {}));
    const slow = await listen(
      createTcpServer((socket: Socket) => {
        socket.on('error', () => {});
        socket.write('HTTP/1.1 20');
      }),
    );
    const timeout = { kind: 'failed', reason: 'TIMEOUT' };
    expect(await post(`http://127.0.0.1:${silent}/`, 200)).toEqual(timeout);
    expect(await post(`http://127.0.0.1:${slow}/`, 200)).toEqual(timeout);
  });

  test('fails if the connection is refused, reset, not HTTP or not TLS', async () => {
    const closed = createTcpServer();
    const free = await listen(closed);
    await new Promise((done) => closed.close(done));
    expect(await post(`http://127.0.0.1:${free}/`)).toEqual({ kind: 'failed', reason: 'CONNECTION_REFUSED' });
    const reset = await listen(
      createTcpServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
    );
    expect(await post(`http://127.0.0.1:${reset}/`)).toEqual({ kind: 'failed', reason: 'CONNECTION_LOST' });
    const other = await listen(createTcpServer((socket) => socket.end('220 mail\r\n\r\n')));
    expect(await post(`http://127.0.0.1:${other}/`)).toEqual({ kind: 'failed', reason: 'NOT_HTTP' });
    const { port } = await receiver((_, response) => response.end());
    expect(await post(`https://127.0.0.1:${port}/`)).toEqual({ kind: 'failed', reason: 'TLS_FAILED' });
  });

  test('fails if the TLS handshake of the receiver fails', async () => {
    const port = await listen(createTlsServer({}, (_, response) => response.end()));
    expect(await post(`https://localhost:${port}/`)).toMatchObject({ kind: 'failed', reason: 'TLS_FAILED' });
  });
});

describe('an endpoint address', () => {
  /**
   * Starts a receiver on this machine. Returns it with a name server that returns the given addresses in turn, and a
   * sender that uses this name server.
   */
  async function internal(...answers: string[]) {
    const { seen, port } = await receiver((_, response) => response.writeHead(200).end());
    const asked: string[] = [];
    const resolve: Resolve = (name, _, done) => {
      asked.push(name);
      const address = answers[Math.min(asked.length, answers.length) - 1] ?? '';
      done(null, [{ address, family: 4 }]);
    };
    const send = webhookPoster({ allowLocal: false, resolve });
    return { seen, port, asked, resolve, send };
  }
  const refused = { kind: 'failed', reason: 'ADDRESS_NOT_PERMITTED' };

  test('S90: is rejected without a connection if it resolves to a private network', async () => {
    const { seen, port, asked, send } = await internal('127.0.0.1');
    expect(await post(`https://hooks.example.com:${port}/`, 2_000, send)).toEqual(refused);
    expect(asked).toEqual(['hooks.example.com']);
    expect(seen.connections).toBe(0);
  });

  test('S91: an endpoint address that leads to an internal system only when it is resolved again', async () => {
    const { seen, port, asked, resolve, send } = await internal('8.8.8.8', '127.0.0.1');
    const url = `https://hooks.example.com:${port}/`;
    expect(await checkAddress(url, { allowLocal: false, resolve })).toBeInstanceOf(URL);
    expect(await post(url, 2_000, send)).toEqual(refused);
    expect(asked).toHaveLength(2);
    expect(seen.connections).toBe(0);
  });

  test('is resolved once for each request, so that the checked address is the one connected to', async () => {
    // 192.0.2.1 is reserved for documentation, so no connection to it succeeds. A second look-up would return this
    // machine.
    const { seen, port, asked, send } = await internal('192.0.2.1', '127.0.0.1');
    const result = await post(`https://hooks.example.com:${port}/`, 1_000, send);
    expect(result.kind).toBe('failed');
    expect(asked).toHaveLength(1);
    expect(seen.connections).toBe(0);
  });

  test.each([
    'http://127.0.0.1:PORT/',
    'https://127.0.0.1:PORT/',
    'https://localhost:PORT/',
    'https://[::1]:PORT/',
  ])('that is saved as %s is rejected outside the local stage', async (url) => {
    const { seen, port, asked, send } = await internal('127.0.0.1');
    expect(await post(url.replace('PORT', String(port)), 1_000, send)).toEqual(refused);
    expect(asked).toEqual([]);
    expect(seen.connections).toBe(0);
  });
});
