import { Resolver } from 'node:dns/promises';
import { connect } from 'node:tls';

/** The network requests of the preflight, apart from those to AWS. */
export interface Network {
  /**
   * Opens a TLS connection and closes it. Sends no request. Throws if the connection fails or the certificate is not
   * valid.
   */
  connect(host: string, port: number): Promise<void>;
  /** Returns the IPv4 addresses and the CNAME of a name, or neither if it does not exist. Throws if DNS fails. */
  resolve(name: string): Promise<{ readonly addresses: readonly string[]; readonly alias?: string }>;
}

const TIMEOUT_MS = 5_000;

/** `servers` and `ca` replace the DNS servers and certificate authorities of this machine, for tests. */
export function machineNetwork({ servers, ca }: { servers?: string[]; ca?: string } = {}): Network {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  return {
    connect: (host, port) => openTls(host, port, ca),
    async resolve(name) {
      const [addresses, aliases] = await Promise.all([
        records(() => resolver.resolve4(name)),
        records(() => resolver.resolveCname(name)),
      ]);
      return { addresses, ...(aliases[0] !== undefined && { alias: aliases[0] }) };
    },
  };
}

function openTls(host: string, port: number, ca: string | undefined): Promise<void> {
  return new Promise((done, fail) => {
    const socket = connect({ host, port, servername: host, ...(ca !== undefined && { ca }) });
    socket.setTimeout(TIMEOUT_MS, () =>
      socket.destroy(new Error(`no connection within ${TIMEOUT_MS / 1_000} s`)),
    );
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      socket.destroy();
      done();
    });
  });
}

/** Returns an empty list if the name does not exist or has no records of the type. */
async function records(query: () => Promise<string[]>): Promise<string[]> {
  try {
    return await query();
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENODATA' || code === 'ENOTFOUND') return [];
    throw error;
  }
}

/** Returns the code of an error, such as ECONNREFUSED. Undefined if it has none. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : undefined;
}
