import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { startLocalService } from '../../infra/local/local-service.ts';
import { FIXTURE } from './fixture-project.ts';

// The runtime must start its own DynamoDB Local, because the tests check that the database ends too.
delete process.env['DYNAMODB_ENDPOINT'];
const STARTUP_MS = 240_000;

async function descendants(ancestor: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found: number[] = [];
  for (let parents = [ancestor]; parents.length > 0; ) {
    parents = pairs.flatMap(([pid = 0, parent = 0]) => (parents.includes(parent) ? [pid] : []));
    found.push(...parents);
  }
  return found;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function untilGone(pids: readonly number[]): Promise<number[]> {
  for (let attempts = 0; attempts < 100 && pids.some(isAlive); attempts += 1) await sleep(50);
  return pids.filter(isAlive);
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'no process is left after the runtime is ended by %s',
  async (signal) => {
    const workDirectory = mkdtempSync(join(tmpdir(), 'identity-end-'));
    const program = fileURLToPath(new URL('start-local-service.ts', import.meta.url));
    const runtime = spawn(process.execPath, [program, workDirectory], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: process.env,
    });
    try {
      const output = await new Promise((done) => runtime.stdout.once('close', done).once('data', done));
      expect(String(output)).toBe('started\n');
      const running = await descendants(runtime.pid ?? 0);
      // The watchdog of the database, the database, and the instance that served a request.
      expect(running.length).toBeGreaterThanOrEqual(3);
      runtime.kill(signal);
      expect(await untilGone(running)).toEqual([]);
    } finally {
      runtime.kill('SIGKILL');
      rmSync(workDirectory, { recursive: true });
    }
  },
  STARTUP_MS,
);

test(
  'no process is left after stop, and a data directory keeps the tables',
  async () => {
    const workDirectory = mkdtempSync(join(tmpdir(), 'identity-data-'));
    const dataDirectory = join(workDirectory, 'data');
    const options = { workDirectory, dataDirectory, projectDirectory: FIXTURE, seed: false };
    const Key = { pk: { S: 'kept' }, sk: { S: '1' } };

    const earlier = await descendants(process.pid);
    const first = await startLocalService(options);
    const before = clientOf(first.adminAwsEnvironment);
    await before.client.send(new PutItemCommand({ TableName: before.table, Item: Key }));
    const running = await descendants(process.pid);
    await first.stop();
    await expect(fetch(first.baseUrl)).rejects.toThrow();
    expect(await untilGone(running.filter((pid) => !earlier.includes(pid)))).toEqual([]);

    const second = await startLocalService(options);
    const after = clientOf(second.adminAwsEnvironment);
    const { Item } = await after.client.send(new GetItemCommand({ TableName: after.table, Key }));
    await second.stop();
    expect(Item).toEqual(Key);
    rmSync(workDirectory, { recursive: true });
  },
  2 * STARTUP_MS,
);

test(
  'a second service leaves the files of the first one alone',
  async () => {
    const workDirectory = mkdtempSync(join(tmpdir(), 'identity-second-'));
    const options = { workDirectory, projectDirectory: FIXTURE, seed: false };
    const described = (directory: string) =>
      JSON.parse(readFileSync(join(directory, 'service.json'), 'utf8')) as { baseUrl: string };

    const first = await startLocalService(options);
    const second = await startLocalService(options);
    expect(described(workDirectory).baseUrl).toBe(first.baseUrl);
    expect(described(join(workDirectory, '2')).baseUrl).toBe(second.baseUrl);
    await second.stop();
    expect(described(workDirectory).baseUrl).toBe(first.baseUrl);
    await first.stop();

    // A service that was killed leaves its address behind.
    writeFileSync(join(workDirectory, 'address'), first.baseUrl);
    const third = await startLocalService(options);
    expect(described(workDirectory).baseUrl).toBe(third.baseUrl);
    await third.stop();
    rmSync(workDirectory, { recursive: true });
  },
  3 * STARTUP_MS,
);

function clientOf(environment: Readonly<Record<string, string>>) {
  const client = new DynamoDBClient({
    endpoint: environment['AWS_ENDPOINT_URL_DYNAMODB'] ?? '',
    region: environment['AWS_REGION'] ?? '',
    credentials: {
      accessKeyId: environment['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: environment['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  });
  return { client, table: environment['THINGS_TABLE'] };
}
