import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Listening, listen } from '../../../infra/local/http-server.ts';
import { DAY_MS, HOUR_MS } from '../../../shared/core/clock.ts';
import { secretAges } from '../../../shared/core/secret-age.ts';
import { type CapturedOutput, captureOutput } from '../../support/captured-output.ts';

/** Tests the metric for the age of secrets, which are in a test double for Secrets Manager. */

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

interface Version {
  readonly VersionStages?: readonly string[];
  readonly CreatedDate: number;
}

let pages: Record<string, Version[][]>;
let requests: { target: string; SecretId: string }[];
let output: CapturedOutput;
let server: Listening;
beforeAll(async () => {
  server = await listen(
    createServer(async (request, response) => {
      const { SecretId, NextToken = '0' } = JSON.parse(await text(request)) as Record<string, string>;
      requests.push({ target: String(request.headers['x-amz-target']), SecretId: String(SecretId) });
      const versions = pages[String(SecretId)];
      const hasMore = versions && Number(NextToken) + 1 < versions.length;
      const body = versions
        ? {
            Versions: versions[Number(NextToken)],
            ...(hasMore && { NextToken: String(Number(NextToken) + 1) }),
          }
        : { __type: 'AccessDeniedException' };
      response.setHeader('Content-Type', 'application/x-amz-json-1.1').writeHead(versions ? 200 : 400);
      response.end(JSON.stringify(body));
    }),
  );
  Object.assign(process.env, {
    AWS_REGION: 'af-south-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url,
  });
});
afterAll(() => server.close());
beforeEach(() => {
  requests = [];
  output = captureOutput();
});
afterEach(() => output.restore());

/** Returns a version that was created this many days ago. Secrets Manager returns times in seconds. */
const version = (days: number, ...VersionStages: string[]): Version => ({
  VersionStages,
  CreatedDate: (NOW_MS - days * DAY_MS) / 1000,
});
const publishedDays = () =>
  output.stdout
    .split('\n')
    .filter((line) => line.includes('oldestSecretDays'))
    .map((line) => (JSON.parse(line) as { oldestSecretDays: number }).oldestSecretDays);

describe('the published age of secrets', () => {
  test('is the age of the oldest current version, and no other version counts', async () => {
    pages = {
      prembly: [[version(900), version(400, 'AWSPREVIOUS'), version(30.9, 'AWSCURRENT')]],
      slip: [[version(200.5, 'AWSCURRENT', 'AWSPENDING')]],
    };
    await secretAges(['prembly', 'slip'])(NOW_MS);

    expect(publishedDays()).toEqual([200]);
    expect(requests.map(({ target }) => target)).toEqual(
      Array(2).fill('secretsmanager.ListSecretVersionIds'),
    );
  });

  test('is found on any page of versions', async () => {
    pages = { slip: [[version(1, 'AWSPREVIOUS')], [version(2)], [version(3, 'AWSCURRENT')]] };
    await secretAges(['slip'])(NOW_MS);

    expect(publishedDays()).toEqual([3]);
  });

  test('is published on the first run and then every 6 hours', async () => {
    pages = { slip: [[version(10, 'AWSCURRENT')]] };
    const report = secretAges(['slip']);
    for (const hours of [0, 0.02, 5.9, 6, 6.1, 12, 24]) await report(NOW_MS + hours * HOUR_MS);

    expect(publishedDays()).toEqual([10, 10, 10, 11]);
  });

  test('is missing if a secret cannot be read, in which case the run fails and the next run tries again', async () => {
    pages = { slip: [[version(10, 'AWSCURRENT')]] };
    const report = secretAges(['slip', 'prembly']);
    await expect(report(NOW_MS)).rejects.toThrow();
    expect(publishedDays()).toEqual([]);
    pages = { ...pages, prembly: [[version(20, 'AWSCURRENT')]] };
    await report(NOW_MS + 60_000);

    expect(publishedDays()).toEqual([20]);
  });

  test('is missing if a secret has no current version, in which case the run fails', async () => {
    pages = { slip: [[version(10, 'AWSPREVIOUS')]] };

    await expect(secretAges(['slip'])(NOW_MS)).rejects.toThrow('A secret has no current version.');
    expect(publishedDays()).toEqual([]);
  });

  test('causes no request if there are no secrets', async () => {
    await secretAges([])(NOW_MS);

    expect(requests).toEqual([]);
  });
});
