import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type DynamoDbLocal, startDynamoDbLocal } from '../../infra/local/aws/dynamodb-local.ts';

const directory = mkdtempSync(join(tmpdir(), 'dynamodb-local-'));
const external = process.env['DYNAMODB_ENDPOINT'];
let database: DynamoDbLocal;

beforeAll(async () => {
  delete process.env['DYNAMODB_ENDPOINT'];
  database = await startDynamoDbLocal({ logFile: join(directory, 'dynamodb.log') });
});

afterAll(async () => {
  await database.stop();
  if (external !== undefined) process.env['DYNAMODB_ENDPOINT'] = external;
  rmSync(directory, { recursive: true });
});

/** Returns `connected` or the code of the error. */
const connection = (host: string) =>
  new Promise((resolve) => {
    const socket = connect({ host, port: Number(new URL(database.endpoint).port) });
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code));
  });

const others = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  // A link-local address needs the name of the interface.
  .filter(({ address, scopeid }) => address !== '127.0.0.1' && !scopeid)
  .map(({ address }) => address);

test('DynamoDB Local listens only on 127.0.0.1', async () => {
  expect(await connection('127.0.0.1')).toBe('connected');
  const found = await Promise.all(others.map(connection));
  expect(found).not.toContain('connected');
});
