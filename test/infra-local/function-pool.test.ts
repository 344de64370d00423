import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { buildInstanceProgram } from '../../infra/local/functions/function-fleet.ts';
import { FunctionLog } from '../../infra/local/functions/function-log.ts';
import { FunctionPool } from '../../infra/local/functions/function-pool.ts';

const directory = mkdtempSync(join(tmpdir(), 'identity-pool-'));
const file = join(directory, 'index.cjs');
const entryFile = join(directory, 'instance.mjs');
writeFileSync(file, 'exports.handler = async () => process.pid;');
await buildInstanceProgram(entryFile);
const slowFile = join(directory, 'slow.mjs');
writeFileSync(
  slowFile,
  `const startedMs = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 100));
  const waitedMs = performance.now() - startedMs;
  export const handler = async () => waitedMs;`,
);
const log = new FunctionLog(join(directory, 'functions.log'));
const poolOf = (bundle: string) =>
  new FunctionPool({
    definition: {
      name: 'pid',
      physicalName: 'pid',
      arn: 'arn:pid',
      roleArn: 'arn:role',
      directory,
      file: bundle,
      exportName: 'handler',
      handler: 'index.handler',
      timeoutMs: 20_000,
      memoryMb: 128,
      environment: {},
    },
    maxInstances: 2,
    entryFile,
    environment: {},
    log,
  });
const pool = poolOf(file);
const slowPool = poolOf(slowFile);
afterAll(() => {
  pool.close();
  slowPool.close();
  log.close();
  rmSync(directory, { recursive: true });
});

test('a log event from the runtime is dropped without an error once the log is closed', () => {
  const file = join(directory, 'closed.log');
  const closed = new FunctionLog(file);
  closed.platform('event failed', { error: 'first' });
  closed.close();
  closed.platform('event failed', { error: 'second' });
  expect(readFileSync(file, 'utf8')).toMatch(/^{.*"error":"first"}\n$/);
});

test('an instance that was killed while idle receives no request, even before its exit is reported', async () => {
  const first = await pool.invoke(() => ({}));
  const [idle] = pool.instances;
  idle?.kill();
  const second = await pool.invoke(() => ({}));

  expect(first).toMatchObject({ kind: 'returned', payload: idle?.pid });
  expect(second?.kind).toBe('returned');
  expect(second).not.toMatchObject({ payload: idle?.pid });
});

test('an instance receives its first request after the top-level await of its module has completed', async () => {
  const result = await slowPool.invoke(() => ({}));

  expect(result).toMatchObject({ kind: 'returned', payload: expect.any(Number) });
});
