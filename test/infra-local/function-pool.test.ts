import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
const log = new FunctionLog(join(directory, 'functions.log'));
const pool = new FunctionPool({
  definition: {
    name: 'pid',
    physicalName: 'pid',
    arn: 'arn:pid',
    roleArn: 'arn:role',
    directory,
    file,
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
afterAll(() => {
  pool.close();
  log.close();
  rmSync(directory, { recursive: true });
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
