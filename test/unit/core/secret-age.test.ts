import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Listening, listen } from '../../../infra/local/http-server.ts';
import { secretAges } from '../../../shared/core/secret-age.ts';

/** How old secrets are, asked of a stand-in of Secrets Manager and read as the metric line that is written. */

const DAY_MS = 24 * 3600_000;
const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

interface Version {
  readonly VersionStages?: readonly string[];
  readonly CreatedDate: number;
}

/** Pages of versions by the secret's ARN. */
let pages: Record<string, Version[][]>;
let asked: { target: string; SecretId: string }[];
let written = '';
let server: Listening;
beforeAll(async () => {
  server = await listen(
    createServer(async (request, response) => {
      const { SecretId, NextToken = '0' } = JSON.parse(await text(request)) as Record<string, string>;
      asked.push({ target: String(request.headers['x-amz-target']), SecretId: String(SecretId) });
      const own = pages[String(SecretId)];
      const more = own && Number(NextToken) + 1 < own.length;
      const body = own
        ? { Versions: own[Number(NextToken)], ...(more && { NextToken: String(Number(NextToken) + 1) }) }
        : { __type: 'AccessDeniedException' };
      response.setHeader('Content-Type', 'application/x-amz-json-1.1').writeHead(own ? 200 : 400);
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
  asked = [];
  written = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
    written += String(line);
    return true;
  });
  jest.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A version that was put so many days ago. Secrets Manager tells seconds. */
const version = (days: number, ...VersionStages: string[]): Version => ({
  VersionStages,
  CreatedDate: (NOW_MS - days * DAY_MS) / 1000,
});
const daysPublished = () =>
  written
    .split('\n')
    .filter((line) => line.includes('oldestSecretDays'))
    .map((line) => (JSON.parse(line) as { oldestSecretDays: number }).oldestSecretDays);

describe('the age of secrets', () => {
  test('is that of the oldest current version, whatever else there is', async () => {
    pages = {
      prembly: [[version(900), version(400, 'AWSPREVIOUS'), version(30.9, 'AWSCURRENT')]],
      slip: [[version(200.5, 'AWSCURRENT', 'AWSPENDING')]],
    };
    await secretAges(['prembly', 'slip'])(NOW_MS);

    expect(daysPublished()).toEqual([200]);
    expect(asked.map(({ target }) => target)).toEqual(Array(2).fill('secretsmanager.ListSecretVersionIds'));
  });

  test('is looked for to the last page', async () => {
    pages = { slip: [[version(1, 'AWSPREVIOUS')], [version(2)], [version(3, 'AWSCURRENT')]] };
    await secretAges(['slip'])(NOW_MS);

    expect(daysPublished()).toEqual([3]);
  });

  test('is told at once and then every 6 hours', async () => {
    pages = { slip: [[version(10, 'AWSCURRENT')]] };
    const report = secretAges(['slip']);
    for (const hours of [0, 0.02, 5.9, 6, 6.1, 12, 24]) await report(NOW_MS + hours * 3600_000);

    expect(daysPublished()).toEqual([10, 10, 10, 11]);
  });

  test('that cannot be read is an error, and is asked for by the next run', async () => {
    pages = { slip: [[version(10, 'AWSCURRENT')]] };
    const report = secretAges(['slip', 'prembly']);
    await expect(report(NOW_MS)).rejects.toThrow();
    expect(daysPublished()).toEqual([]);
    pages = { ...pages, prembly: [[version(20, 'AWSCURRENT')]] };
    await report(NOW_MS + 60_000);

    expect(daysPublished()).toEqual([20]);
  });

  test('of a secret without a current version is an error and no age', async () => {
    pages = { slip: [[version(10, 'AWSPREVIOUS')]] };

    await expect(secretAges(['slip'])(NOW_MS)).rejects.toThrow('A secret has no current version.');
    expect(daysPublished()).toEqual([]);
  });

  test('of no secrets is asked of nobody', async () => {
    await secretAges([])(NOW_MS);

    expect(asked).toEqual([]);
  });
});
