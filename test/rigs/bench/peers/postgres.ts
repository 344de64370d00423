import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A PostgreSQL cluster in a temporary directory, which listens on a Unix socket only. */
export interface Postgres {
  /** The directory of the socket, for the `host` option of a connection. */
  readonly socketDirectory: string;
  empty(): Promise<void>;
  stop(): Promise<void>;
}

export const POSTGRES_USER = 'bench';
const DEBIAN_DIRECTORY = '/usr/lib/postgresql';
const STARTUP_TIMEOUT_MS = 30_000;

/** Starts PostgreSQL with its default settings. Returns undefined if it is not installed. */
export async function startPostgres(): Promise<Postgres | undefined> {
  const programs = programDirectory();
  if (programs === undefined) return undefined;
  const directory = mkdtempSync(join(tmpdir(), 'bench-pg-'));
  const user = unprivilegedUser();
  if (user) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const options = { ...user, cwd: directory, stdio: 'ignore' } as const;
  let server: ChildProcess | undefined;
  const stop = async () => {
    if (server && server.exitCode === null && server.signalCode === null) {
      const ended = once(server, 'exit');
      // A fast shutdown: it ends the connections.
      server.kill('SIGINT');
      await ended;
    }
    rmSync(directory, { recursive: true });
  };
  try {
    const settings = ['-A', 'trust', '-E', 'UTF8', '--locale=C', '-U', POSTGRES_USER];
    execFileSync(join(programs, 'initdb'), ['-D', data, ...settings], options);
    const listening = ['-k', directory, '-c', 'listen_addresses='];
    server = spawn(join(programs, 'postgres'), ['-D', data, ...listening], options);
    await untilReady(directory, server);
  } catch (error) {
    await stop();
    throw error;
  }
  return { socketDirectory: directory, empty: () => empty(directory), stop };
}

/** Loads the client only now, because the bench installs it on first use. */
async function clientOf(host: string) {
  const { Client } = await import('pg');
  return new Client({ host, user: POSTGRES_USER, database: 'postgres' });
}

async function empty(host: string): Promise<void> {
  const client = await clientOf(host);
  await client.connect();
  await client.query('DROP SCHEMA public CASCADE');
  await client.query('CREATE SCHEMA public');
  await client.end();
}

/**
 * Returns the directory of the server's programs. Debian installs them in a directory for each version, outside the
 * PATH.
 */
function programDirectory(): string | undefined {
  const versions = existsSync(DEBIAN_DIRECTORY) ? readdirSync(DEBIAN_DIRECTORY) : [];
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a));
  const debian = newestFirst.map((version) => join(DEBIAN_DIRECTORY, version, 'bin'));
  const directories = [...debian, ...(process.env['PATH'] ?? '').split(delimiter)];
  return directories.find((directory) =>
    ['initdb', 'postgres'].every((program) => existsSync(join(directory, program))),
  );
}

/** Returns the user `nobody` if this process runs as root, because PostgreSQL refuses to run as root. */
function unprivilegedUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (option: string) => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function untilReady(host: string, server: ChildProcess): Promise<void> {
  const deadlineMs = Date.now() + STARTUP_TIMEOUT_MS;
  while (Date.now() < deadlineMs && server.exitCode === null) {
    const client = await clientOf(host);
    const isReady = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => undefined);
    if (isReady) return;
    await sleep(50);
  }
  throw new Error('PostgreSQL did not start.');
}
