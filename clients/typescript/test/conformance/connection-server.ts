import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionFault } from './table.ts';

/** Certificates for `localhost`, which last for a day. */
export class Certificates implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'client-certificates-'));
  readonly authorityFile = join(this.#folder, 'authority.pem');

  constructor() {
    this.#selfSigned('authority', '/CN=Authority');
    this.#selfSigned('untrusted', '/CN=localhost');
    for (const usage of ['serverAuth', 'clientAuth']) {
      const extensions = `subjectAltName=DNS:localhost\nextendedKeyUsage=${usage}\n`;
      writeFileSync(join(this.#folder, `${usage}.ext`), extensions);
      this.#openssl('req', ...NEW_KEY, `${usage}.key`, '-out', `${usage}.csr`, '-subj', '/CN=localhost');
      const signed = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-set_serial', '1', '-days', '1'];
      const files = ['-in', `${usage}.csr`, '-out', `${usage}.pem`, '-extfile', `${usage}.ext`];
      this.#openssl('x509', '-req', ...files, ...signed);
    }
  }

  of(name: 'serverAuth' | 'clientAuth' | 'untrusted'): { key: Buffer; cert: Buffer } {
    const read = (type: string) => readFileSync(join(this.#folder, `${name}.${type}`));
    return { key: read('key'), cert: read('pem') };
  }

  #selfSigned(name: string, subject: string): void {
    this.#openssl('req', '-x509', ...NEW_KEY, `${name}.key`, '-out', `${name}.pem`, '-subj', subject);
  }

  #openssl(...args: string[]): void {
    execFileSync('openssl', args, { cwd: this.#folder, stdio: 'pipe' });
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout'];

/** A server to which no request can be sent. It counts what it received. */
export class ConnectionServer implements AsyncDisposable {
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  /** At the proxy, if there is one. */
  connections = 0;
  /** Complete requests, which would be charged. */
  requests = 0;
  baseUrl = '';
  /** For the program that calls the server. */
  readonly env: Record<string, string> = {};

  static async start(fault: ConnectionFault, certificates: Certificates): Promise<ConnectionServer> {
    const server = new ConnectionServer();
    const port = await server.#listen(server.#serverWith(fault, certificates), !fault.startsWith('proxy'));
    server.baseUrl = `https://localhost:${port}`;
    Object.assign(server.env, {
      NODE_EXTRA_CA_CERTS: certificates.authorityFile,
      DENO_CERT: certificates.authorityFile,
    });
    if (fault.startsWith('proxy')) {
      const proxy = createHttpServer();
      const status = fault.slice('proxy_'.length);
      proxy.on('connect', (_, socket) => socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`));
      const proxyPort = await server.#listen(proxy, true);
      Object.assign(server.env, { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`, NODE_USE_ENV_PROXY: '1' });
    }
    return server;
  }

  #serverWith(fault: ConnectionFault, certificates: Certificates): Server {
    const count: RequestListener = (_, response) => {
      this.requests += 1;
      response.end();
    };
    const https = (options: ServerOptions) => createHttpsServer(options, count);
    const right = certificates.of('serverAuth');
    switch (fault) {
      case 'tls_to_plain':
        return createHttpServer(count);
      case 'tls_1_1':
        return https({ ...right, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' });
      case 'client_certificate':
        return https({ ...right, requestCert: true, rejectUnauthorized: true });
      case 'closed_in_handshake':
        return createServer((socket) => socket.once('data', () => socket.end()));
      case 'reset_in_handshake':
        return createServer((socket) => socket.once('data', () => socket.resetAndDestroy()));
      case 'no_server_auth':
        return https(certificates.of('clientAuth'));
      case 'untrusted':
        return https(certificates.of('untrusted'));
      case 'proxy_407':
      case 'proxy_502':
        return https(right);
    }
  }

  async #listen(server: Server, isCounted: boolean): Promise<number> {
    this.#servers.push(server);
    server.on('connection', (socket) => {
      if (isCounted) this.connections += 1;
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
    return (server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(
      this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
  }
}
