import { execFileSync } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { machineNetwork } from '../../clients/operator/preflight/network.ts';

/** The network checks of the preflight, against servers on this machine. */

const directory = mkdtempSync(join(tmpdir(), 'network-'));
let [certificate, key] = ['', ''];
beforeAll(() => {
  const files = ['-keyout', join(directory, 'key.pem'), '-out', join(directory, 'certificate.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...files, ...subject],
    { stdio: 'ignore' },
  );
  certificate = readFileSync(join(directory, 'certificate.pem'), 'utf8');
  key = readFileSync(join(directory, 'key.pem'), 'utf8');
});
afterAll(() => rmSync(directory, { recursive: true }));

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

describe('a TLS connection', () => {
  test('succeeds if the certificate is valid, and sends no request', async () => {
    const received: Buffer[] = [];
    const server = createTlsServer({ key, cert: certificate }, (socket) =>
      socket.on('data', (data) => received.push(data)),
    ).listen(0, 'localhost');
    await once(server, 'listening');
    await machineNetwork({ ca: certificate }).connect('localhost', portOf(server));
    server.close();
    await once(server, 'close');
    expect(received).toEqual([]);
  });

  test('fails if the certificate is not trusted', async () => {
    const server = createTlsServer({ key, cert: certificate }).listen(0, 'localhost');
    await once(server, 'listening');
    await expect(machineNetwork().connect('localhost', portOf(server))).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    });
    server.close();
  });

  test('fails if nothing listens', async () => {
    const server = createServer().listen(0, 'localhost');
    await once(server, 'listening');
    const port = portOf(server);
    server.close();
    await once(server, 'close');
    await expect(machineNetwork().connect('localhost', port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

/** Starts a DNS server with one alias and one address. Other names do not exist (RFC 1035). */
async function startDns(): Promise<Socket> {
  const server = createSocket('udp4');
  server.on('message', (query, from) => {
    const name = nameIn(query);
    const type = query.readUInt16BE(12 + encoded(name).length);
    const data =
      name === 'api.example.com' && type === 5
        ? encoded('target.example.net')
        : name === 'target.example.net' && type === 1
          ? Buffer.from([192, 0, 2, 10])
          : undefined;
    const isKnown = name === 'api.example.com' || name === 'target.example.net';
    server.send(response(query, name, type, data, isKnown), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const encoded = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at]; at += (query[at] ?? 0) + 1)
    labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString());
  return labels.join('.');
}

function response(
  query: Buffer,
  name: string,
  type: number,
  data: Buffer | undefined,
  isKnown: boolean,
): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(data ? 1 : 0, 6);
  const typeAndClass = Buffer.from([0, type, 0, 1]);
  const question = Buffer.concat([encoded(name), typeAndClass]);
  if (!data) return Buffer.concat([header, question]);
  const lengths = Buffer.from([0, 0, 0, 60, 0, data.length]);
  return Buffer.concat([header, question, encoded(name), typeAndClass, lengths, data]);
}

describe('DNS', () => {
  let dns: Socket;
  beforeAll(async () => {
    dns = await startDns();
  });
  afterAll(() => {
    dns.close();
  });
  const network = () => machineNetwork({ servers: [`127.0.0.1:${dns.address().port}`] });

  test('returns the alias of a name', async () => {
    expect(await network().resolve('api.example.com')).toEqual({
      addresses: [],
      alias: 'target.example.net',
    });
  });

  test('returns the addresses of a name', async () => {
    expect(await network().resolve('target.example.net')).toEqual({ addresses: ['192.0.2.10'] });
  });

  test('returns nothing for a name that does not exist', async () => {
    expect(await network().resolve('missing.example.com')).toEqual({ addresses: [] });
  });

  test('fails if the server does not listen', async () => {
    const silent = machineNetwork({ servers: ['127.0.0.1:1'] });
    await expect(silent.resolve('api.example.com')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});
