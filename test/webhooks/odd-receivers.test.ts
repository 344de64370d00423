import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type PostResult, webhookPoster } from '../../shared/webhooks/post-webhook.ts';
import certificates from '../fixtures/webhooks/certificates.json' with { type: 'json' };

/** Receivers that break the rules of HTTP or TLS: what each sends over a real socket, and the result of the attempt. */

const TIMEOUT_MS = 20_000;
const post = webhookPoster({ allowLocal: true });

let server: Server | undefined;
afterEach(() => void server?.close());

async function attempt(scheme: 'http' | 'https', listening: Server, timeoutMs = TIMEOUT_MS) {
  server = listening;
  const port = await new Promise<number>((resolve) =>
    listening.listen(0, '127.0.0.1', () => resolve((listening.address() as { port: number }).port)),
  );
  return post({ url: `${scheme}://localhost:${port}/`, headers: {}, body: '{"id":"e1"}', timeoutMs });
}

/** Sends the pieces one after another once the request has arrived, then ends the connection. */
const sending = (...pieces: readonly (string | Buffer)[]) =>
  async function respond(socket: Socket) {
    socket.on('error', () => {}).setNoDelay();
    await new Promise((resolve) => socket.once('data', resolve));
    for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
    socket.end();
  };

const OK: PostResult = { kind: 'delivered', status: 200 };
const failed = (reason: string, status?: number) => ({
  kind: 'failed',
  reason,
  ...(status !== undefined && { status }),
});
const LARGE = `x-large: ${'a'.repeat(1_000)}\r\n`.repeat(20);

const RECEIVERS: readonly (readonly [name: string, pieces: readonly (string | Buffer)[], result: object])[] =
  [
    ['20 KB of headers', [`HTTP/1.1 200 OK\r\n${LARGE}content-length: 0\r\n\r\n`], OK],
    [
      'Content-Length beside Transfer-Encoding',
      ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'],
      OK,
    ],
    ['Content-Length twice', ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'], OK],
    ['a space in the name of a header', ['HTTP/1.1 200 OK\r\nx odd: 1\r\ncontent-length: 0\r\n\r\n'], OK],
    ['bare line feeds', ['HTTP/1.1 200 OK\ncontent-length: 0\n\n'], OK],
    ['a header without a colon', ['HTTP/1.1 200 OK\r\nodd\r\n\r\n'], OK],
    ['control characters in a header', ['HTTP/1.1 200 OK\r\nx: a\u0000b\u0007\r\n\r\n'], OK],
    ['an invalid chunk size', ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n'], OK],
    ['an invalid Content-Length', ['HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'], OK],
    ['a status line without a reason', ['HTTP/1.1 200\r\n\r\n'], OK],
    ['a status line and nothing else', ['HTTP/1.1 200 OK'], OK],
    ['only some of its headers', ['HTTP/1.1 200 OK\r\nx-half: '], OK],
    ['the version 2', ['HTTP/2 200 OK\r\n\r\n'], OK],
    ['an empty line first', ['\r\nHTTP/1.1 200 OK\r\n\r\n'], OK],
    ['the status in pieces', ['HTT', 'P/1.1 2', '0', '0 OK\r\n', '\r\n'], OK],
    [
      'interim responses first',
      ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
      OK,
    ],
    ['204 with a body', ['HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok'], { ...OK, status: 204 }],
    ['500 with bare line feeds', ['HTTP/1.1 500 Oops\nx y: 1\n\n'], failed('HTTP_STATUS', 500)],
    ['301 with 20 KB of headers', [`HTTP/1.1 301 Moved\r\n${LARGE}\r\n`], failed('REDIRECT', 301)],
    ['410 with a space in a name', ['HTTP/1.1 410 Gone\r\nx odd: 1\r\n\r\n'], failed('GONE', 410)],
    ['101', ['HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'], failed('HTTP_STATUS', 101)],
    ['only an interim response', ['HTTP/1.1 100 Continue\r\n\r\n'], failed('CONNECTION_LOST')],
    ['half a status', ['HTTP/1.1 20'], failed('CONNECTION_LOST')],
    ['nothing', [], failed('CONNECTION_LOST')],
    ['a status that is no number', ['HTTP/1.1 OK\r\n\r\n'], failed('NOT_HTTP')],
    ['a status of four digits', ['HTTP/1.1 2000 OK\r\n\r\n'], failed('NOT_HTTP')],
    ['the greeting of a mail server', ['220 mail.example ESMTP\r\n'], failed('NOT_HTTP')],
    ['a frame of HTTP/2', [Buffer.from('000006040000000000000400001000', 'hex')], failed('NOT_HTTP')],
    ['100 KB without a line', ['x'.repeat(100_000)], failed('NOT_HTTP')],
    [
      'its status after 9 KB of empty lines',
      ['\r\n'.repeat(4_600), 'HTTP/1.1 200 OK\r\n\r\n'],
      failed('CONNECTION_LOST'),
    ],
  ];

describe('a receiver that sends', () => {
  test.each(RECEIVERS)('%s', async (_, pieces, result) => {
    expect(await attempt('http', createServer(sending(...pieces)))).toEqual(result);
  });

  test('the status, and then nothing, need not be waited for', async () => {
    const silent = createServer((socket) => void socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n'));
    expect(await attempt('http', silent)).toEqual(OK);
  });
});

describe('a receiver whose certificate', () => {
  const system = getCACertificates('default');
  beforeAll(() => setDefaultCACertificates([...system, certificates.authority]));
  afterAll(() => setDefaultCACertificates(system));

  const respond = sending('HTTP/1.1 200 OK\r\nx odd: 1\r\n\r\n');
  const withCertificate = (cert: string) => createTlsServer({ key: certificates.key, cert }, respond);

  test.each([
    ['is valid', certificates.valid, OK],
    ['is not yet valid', certificates.notYetValid, failed('CERTIFICATE_NOT_YET_VALID')],
    ['has expired', certificates.expired, failed('CERTIFICATE_EXPIRED')],
    ['is for another name', certificates.otherName, failed('CERTIFICATE_WRONG_NAME')],
    ['is from an unknown authority', certificates.unknownAuthority, failed('CERTIFICATE_NOT_TRUSTED')],
    ['is signed by itself', certificates.selfSigned, failed('CERTIFICATE_NOT_TRUSTED')],
  ])('%s', async (_, cert, result) => {
    expect(await attempt('https', withCertificate(cert))).toEqual(result);
  });

  test('is missing, because the port does not serve https', async () => {
    expect(await attempt('https', createServer(respond))).toEqual(failed('TLS_FAILED'));
  });
});
