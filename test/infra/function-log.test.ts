import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sourceOfPosition } from '../../clients/operator/source-of-position.ts';
import { bundle } from '../../infra/bundle/bundle.ts';
import { newApiKeyText } from '../../shared/accounts/api-key.ts';

/** What the log of a bundled function says about a failed request. No server listens on the table's port. */

const directory = mkdtempSync(join(tmpdir(), 'function-log-'));
let start = '';
beforeAll(() => {
  const { directories } = bundle({ me: 'functions/me.ts' }, directory);
  start = join(directories.get('me') ?? '', 'start.mjs');
}, 600_000);
afterAll(() => rmSync(directory, { recursive: true }));

const environment = {
  AWS_REGION: 'af-south-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
  API_KEYS_TABLE: 'ApiKeys',
  WALLETS_TABLE: 'Wallets',
  POWERTOOLS_SERVICE_NAME: 'identity-prod',
  STAGE: 'prod',
};

/** Returns the log lines with the message `request` of as many requests. They arrived so many milliseconds ago. */
function loggedRequests(arrivedMsAgo: number, count = 1): Record<string, unknown>[] {
  const headers = {
    Authorization: [`Bearer ${newApiKeyText('live', 'ORG0000001')}`],
    'X-Forwarded-Proto': ['https'],
  };
  const code = `
    // The SDK multiplies its pauses by it.
    Math.random = () => 0.5;
    const { handler } = await import(${JSON.stringify(start)});
    for (let request = 1; request <= ${count}; request += 1)
      await handler({
        httpMethod: 'GET', path: '/v1/me', resource: '/v1/me', body: null, isBase64Encoded: false,
        multiValueHeaders: ${JSON.stringify(headers)},
        requestContext: { requestTimeEpoch: Date.now() - ${arrivedMsAgo}, identity: { sourceIp: '192.0.2.1' } },
      }, { awsRequestId: 'lambda-request-' + request });`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    env: { ...process.env, ...environment, LAMBDA_TASK_ROOT: join(start, '..') },
  });
  const lines = `${stdout}${stderr}`
    .split('\n')
    .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
  return lines.filter(({ message }) => message === 'request');
}

test('a request that ran out of time names the check that had to wait, although the bundle is minified', () => {
  expect(loggedRequests(60_000)).toEqual([expect.objectContaining({ detail: 'deadline: httpsOnly' })]);
});

test('an error names the files and lines of our own code, and the failed call with its table and retries', () => {
  const [line, second] = loggedRequests(0, 2);
  expect(line).toMatchObject({ lambda_request_id: 'lambda-request-1', cold: true });
  // It pauses before each of two retries.
  expect(line?.['steps_ms']).toMatchObject({ apiKey: expect.any(Number) });
  expect(second).toMatchObject({ lambda_request_id: 'lambda-request-2' });
  expect(second).not.toHaveProperty('cold');
  expect(line?.['code']).toBe('SERVER_ERROR');
  const detail = JSON.parse(String(line?.['detail'])) as Record<string, unknown>;
  expect(detail).toMatchObject({ call: 'DynamoDB BatchGetItem', table: 'ApiKeys', retries: 2 });
  const positions = String(detail['error_at']).split(' < ');
  expect(positions).toHaveLength(3);
  expect(positions[0]).toMatch(/^shared\/core\/database.ts:/);
  expect(positions.slice(1).join()).toMatch(/shared\/accounts\/middleware\/api-key.ts/);
  for (const position of positions) {
    const [file = '', number] = position.split(':');
    // The call is on this line.
    expect(readFileSync(file, 'utf8').split('\n')[Number(number) - 1]).toMatch(/await|=>/);
  }
});

test('npm run where finds the file and line of a position in the code of a version', () => {
  const archive = join(directory, 'code.zip');
  const files = ['index.cjs', 'start.mjs', 'lines.json'].map((name) => join(start, '..', name));
  execFileSync('python3', ['-m', 'zipfile', '-c', archive, ...files]);
  const code = readFileSync(archive);
  const lines = readFileSync(join(start, '..', 'index.cjs'), 'utf8').split('\n');
  const positionOf = (text: string) => {
    const row = lines.findIndex((line) => line.includes(text)) + 1;
    return { row, column: (lines[row - 1] ?? '').indexOf(text) + 1 };
  };
  const text = 'ended without a response';
  const [, file = '', line] = /^(.+):(\d+)$/.exec(sourceOfPosition(code, positionOf(text))) ?? [];
  expect(file).toBe('shared/http/chain.ts');
  expect(readFileSync(file, 'utf8').split('\n')[Number(line) - 1]).toContain(text);
  expect(sourceOfPosition(code, positionOf('Middleware must be an object'))).toContain('in a package');
  expect(() => sourceOfPosition(Buffer.from('no archive'), { row: 1, column: 1 })).toThrow(
    'not a ZIP archive',
  );
});
