import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { bypassProxy } from '../loopback.ts';

/** Started here, or named by `DYNAMODB_ENDPOINT`. */
export interface DynamoDbLocal {
  /** `http://127.0.0.1:<port>` */
  readonly endpoint: string;
  /** DynamoDB Local has one per access key. */
  readonly accessKeyId: string;
  stop(): Promise<void>;
}

export interface DynamoDbLocalOptions {
  /** Kept between runs. */
  readonly dataDirectory?: string | undefined;
  /** The log of DynamoDB Local. */
  readonly logFile: string;
  /** For a million rows: a larger heap and all compiler tiers. */
  readonly isLarge?: boolean | undefined;
}

const STARTUP_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 3_000;

/**
 * Uses `DYNAMODB_ENDPOINT` if it is set. Rejects if it does not start, for example because Java is missing or too old.
 */
export async function startDynamoDbLocal(options: DynamoDbLocalOptions): Promise<DynamoDbLocal> {
  bypassProxy();
  const external = process.env['DYNAMODB_ENDPOINT'];
  if (external) {
    const accessKeyId = databaseKey(options.dataDirectory);
    return { endpoint: external.replace(/\/$/, ''), accessKeyId, stop: async () => {} };
  }
  const port = await freePort();
  const log = openSync(options.logFile, 'w');
  const watchdog = spawn(
    process.execPath,
    [fileURLToPath(new URL('dynamodb-watchdog.ts', import.meta.url)), ...javaCommand(port, options)],
    {
      stdio: ['ignore', log, log, 'ipc'],
      // Ctrl-C must not end the database before the requests that still use it.
      detached: true,
      // In a locale without UTF-8, Java finds no file whose path has letters outside ASCII.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    },
  );
  closeSync(log);
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await untilReady(watchdog, endpoint, options.logFile);
  } catch (error) {
    await end(watchdog);
    throw error;
  }
  return { endpoint, accessKeyId: databaseKey(options.dataDirectory), stop: () => end(watchdog) };
}

/** Every user of this machine can connect, so the access key that selects the database is a secret. */
function databaseKey(dataDirectory: string | undefined): string {
  const generated = randomBytes(16).toString('hex');
  if (!dataDirectory) return generated;
  const file = join(dataDirectory, 'database-key');
  if (!existsSync(file)) writeFileSync(file, generated, { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

function javaCommand(port: number, { dataDirectory, isLarge }: DynamoDbLocalOptions): string[] {
  const jar = fileURLToPath(import.meta.resolve('amplify-dynamodb-simulator/emulator/DynamoDBLocal.jar'));
  if (dataDirectory) mkdirSync(dataDirectory, { recursive: true });
  return [
    'java',
    // They halve the start time and leave processor time for the functions.
    '-XX:+UseSerialGC',
    ...(isLarge ? ['-Xmx4g'] : ['-XX:TieredStopAtLevel=1', '-Xmx512m']),
    `-Djava.library.path=${join(dirname(jar), 'DynamoDBLocal_lib')}`,
    '-cp',
    jar,
    'org.eclipse.jetty.xml.XmlConfiguration',
    `port=${port}`,
    ...(dataDirectory ? ['inMemory=false', `dbPath=${dataDirectory}`] : ['inMemory=true']),
    fileURLToPath(new URL('dynamodb-local.xml', import.meta.url)),
  ];
}

async function untilReady(watchdog: ChildProcess, endpoint: string, logFile: string): Promise<void> {
  const deadline = Date.now() + STARTUP_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (watchdog.exitCode !== null) throw new Error(startFailure(watchdog.exitCode, logFile));
    // A server that is ready rejects this unsigned request.
    const response = await fetch(endpoint).catch(() => undefined);
    if (response) return;
    await sleep(50);
  }
  throw new Error(`DynamoDB Local did not start within ${STARTUP_TIMEOUT_MS / 1000} s. Its log: ${logFile}`);
}

function startFailure(exitCode: number, logFile: string): string {
  if (exitCode === 127)
    return `Java was not found. DynamoDB Local needs Java 17 or later: install it and add it to the PATH.`;
  // The program was compiled for a later version.
  if (readFileSync(logFile, 'utf8').includes('UnsupportedClassVersionError'))
    return `Java is too old. DynamoDB Local needs Java 17 or later: see \`java -version\`, and put a newer one first on the PATH.`;
  return `DynamoDB Local ended with exit status ${exitCode}. Its log: ${logFile}`;
}

async function end(watchdog: ChildProcess): Promise<void> {
  if (watchdog.exitCode !== null || watchdog.signalCode !== null) return;
  const ended = new Promise((resolve) => watchdog.once('exit', resolve));
  watchdog.kill('SIGTERM');
  const timer = setTimeout(() => watchdog.disconnect(), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

/** Finds a free port, because DynamoDB Local does not accept port 0. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, fail) => server.once('error', fail).listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}
