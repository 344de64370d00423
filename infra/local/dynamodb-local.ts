import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A running DynamoDB Local, or another one that `DYNAMODB_ENDPOINT` names. */
export interface DynamoDbLocal {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  /** Names the database: DynamoDB Local keeps one for each access key. */
  readonly accessKeyId: string;
  stop(): Promise<void>;
}

export interface DynamoDbLocalOptions {
  /** Keeps the tables there between runs; without it they live in memory. */
  readonly dataDirectory?: string | undefined;
  /** Where the emulator's own words go. */
  readonly logFile: string;
}

const STARTUP_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 3_000;

/** Starts the official emulator out of the npm package that carries it. Rejects in clear words without Java. */
export async function startDynamoDbLocal(options: DynamoDbLocalOptions): Promise<DynamoDbLocal> {
  const other = process.env['DYNAMODB_ENDPOINT'];
  if (other) {
    const accessKeyId = databaseKey(options.dataDirectory);
    return { endpoint: other.replace(/\/$/, ''), accessKeyId, stop: async () => {} };
  }
  const port = await freePort();
  const log = openSync(options.logFile, 'a');
  const watcher = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('dynamodb-process.ts', import.meta.url)),
      ...javaCommand(port, options.dataDirectory),
    ],
    // A group of its own: Ctrl-C must not end the database before the requests that still use it.
    { stdio: ['ignore', log, log, 'ipc'], detached: true },
  );
  closeSync(log);
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await untilReady(watcher, endpoint, options.logFile);
  } catch (error) {
    await end(watcher);
    throw error;
  }
  return { endpoint, accessKeyId: databaseKey(options.dataDirectory), stop: () => end(watcher) };
}

/**
 * DynamoDB Local listens on every interface and can't be told otherwise; the key that names the database is
 * therefore a secret: without it, a neighbour in the network finds an empty one.
 */
function databaseKey(dataDirectory: string | undefined): string {
  const drawn = randomBytes(16).toString('hex');
  if (!dataDirectory) return drawn;
  const file = join(dataDirectory, 'database-key');
  if (!existsSync(file)) writeFileSync(file, drawn, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

function javaCommand(port: number, dataDirectory: string | undefined): string[] {
  const jar = fileURLToPath(import.meta.resolve('amplify-dynamodb-simulator/emulator/DynamoDBLocal.jar'));
  if (dataDirectory) mkdirSync(dataDirectory, { recursive: true });
  return [
    'java',
    // A simple collector and the first compiler only: starts in half the time, leaves the processors to the functions.
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    '-Xmx512m',
    `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`,
    '-jar',
    jar,
    '-disableTelemetry',
    '-port',
    String(port),
    ...(dataDirectory ? ['-dbPath', dataDirectory] : ['-inMemory']),
  ];
}

async function untilReady(watcher: ChildProcess, endpoint: string, logFile: string): Promise<void> {
  const deadline = Date.now() + STARTUP_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (watcher.exitCode === 127) {
      throw new Error('Java is missing: DynamoDB Local needs Java 17 or later on the PATH (java -version).');
    }
    if (watcher.exitCode !== null)
      throw new Error(`DynamoDB Local ended at once. Its words are in ${logFile}.`);
    // Any answer will do: an unsigned request is refused by a server that is ready.
    const answer = await fetch(endpoint).catch(() => undefined);
    if (answer) return;
    await sleep(50);
  }
  throw new Error(`DynamoDB Local does not answer. Its words are in ${logFile}.`);
}

async function end(watcher: ChildProcess): Promise<void> {
  if (watcher.exitCode !== null || watcher.signalCode !== null) return;
  const ended = new Promise((done) => watcher.once('exit', done));
  watcher.kill('SIGTERM');
  const late = setTimeout(() => watcher.disconnect(), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(late);
}

/** DynamoDB Local takes no port 0, so a free one is found for it. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}
