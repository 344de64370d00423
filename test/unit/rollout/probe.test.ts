import { createServer, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Listening, listen } from '../../../infra/local/http-server.ts';
import { logger } from '../../../shared/core/logger.ts';
import { metricLog } from '../../../shared/core/metrics.ts';
import { probe } from '../../../shared/rollout/probe.ts';

/** The probe, against a server that responds as API Gateway and the service do. */

let server: Listening;
let respond: (path: string) => { status: number; body: string };
let requests: IncomingMessage[];
let metrics: Record<string, unknown>[];
let logged: [string, unknown][];
beforeEach(async () => {
  [requests, metrics, logged] = [[], [], []];
  respond = (path) =>
    path === '/v1/health'
      ? { status: 200, body: '{"success":true,"code":"HEALTH"}' }
      : { status: 400, body: '{"success":false,"code":"NIN_NOT_FOUND"}' };
  server = await listen(
    createServer((request, response) => {
      requests.push(request);
      const { status, body } = respond(request.url ?? '');
      request.resume().once('end', () => response.writeHead(status).end(body));
    }),
  );
  jest.spyOn(metricLog, 'write').mockImplementation((line) => void metrics.push(JSON.parse(line)));
  for (const level of ['info', 'error'] as const)
    jest.spyOn(logger, level).mockImplementation((...line) => void logged.push([level, line[1]]));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

const run = (key: Record<string, string> = { current: 'made-up-test-key' }) =>
  probe({ url: server.url, readTestKey: async () => key });

test('the expected responses are counted as no failure, and the look-up costs nothing', async () => {
  await run();
  expect(metrics).toEqual([expect.objectContaining({ failedProbes: 0 })]);
  const [lookUp] = requests.filter(({ method }) => method === 'POST');
  expect(lookUp?.headers.authorization).toBe('Bearer made-up-test-key');
  expect(logged.map(([level]) => level)).toEqual(['info', 'info']);
  expect(JSON.stringify(logged)).not.toContain('made-up-test-key');
});

test.each([
  ['413 of API Gateway', { status: 413, body: '{"message":"Request Too Long"}' }, '413 without a code'],
  ['431 of API Gateway', { status: 431, body: '' }, '431 without a code'],
  ['throttling', { status: 429, body: '{"code":"RATE_LIMITED"}' }, '429 RATE_LIMITED'],
  ['500 of API Gateway', { status: 500, body: '{"message":null}' }, '500 without a code'],
  ['another page', { status: 200, body: '<html>' }, '200 without a code'],
])('counts and logs %s, which may leave no other trace', async (_, response, result) => {
  respond = () => response;
  await run();
  expect(metrics).toEqual([expect.objectContaining({ failedProbes: 2 })]);
  for (const [level, fields] of logged) {
    expect(level).toBe('error');
    expect(fields).toMatchObject({ result });
  }
});

test('counts an unreachable API and an unreadable key, and skips the look-up without a key', async () => {
  await run({});
  expect(requests).toHaveLength(1);
  const readTestKey = () => Promise.reject(new Error('made up'));
  await probe({ url: 'http://127.0.0.1:9', readTestKey });
  expect(metrics.map(({ failedProbes }) => failedProbes)).toEqual([0, 2]);
});
