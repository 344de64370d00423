import { createServer, type IncomingMessage } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from '@jest/globals';
import { backupVault } from '../../clients/operator/backup-vault.ts';
import { listen, readBody } from '../../infra/local/http-server.ts';

/** A vault with two copies of Wallets, of which the newer is on the second page, and one of another stage's table. */

const copy = (name: string, table: string, day: number, Status = 'COMPLETED') => ({
  RecoveryPointArn: `arn:aws:backup:eu-central-1:444455556666:recovery-point:${name}`,
  ResourceArn: `arn:aws:dynamodb:eu-west-1:111122223333:table/identity-prod-data-${table}`,
  CreationDate: Date.UTC(2026, 10, day) / 1_000,
  Status,
});
const PAGES = [
  {
    RecoveryPoints: [copy('old', 'Wallets7100C94D-1A', 27), copy('logs', 'VerificationLogs9820EC0A-1A', 29)],
    NextToken: 'a b/c',
  },
  {
    // After a restore, the name of the table in use has a suffix.
    RecoveryPoints: [
      copy('new', 'Wallets7100C94D-1A-at-20261127T000000000Z', 28),
      copy('partial', 'Wallets7100C94D-1A', 29, 'PARTIAL'),
    ],
  },
];

const received: {
  method: string | undefined;
  url: string;
  authorization: string | undefined;
  body: unknown;
}[] = [];
const jobs = ['RUNNING', 'COMPLETED'];

function respond({ url = '' }: IncomingMessage): [number, object] {
  if (url.includes('restore-metadata')) return [200, { RestoreMetadata: { encryptionType: 'Default' } }];
  if (url.includes('/recovery-points/')) return [200, PAGES[url.includes('nextToken') ? 1 : 0] ?? {}];
  if (url === '/restore-jobs') return [200, { RestoreJobId: 'job-1' }];
  if (url === '/restore-jobs/job-1')
    return [200, { Status: jobs.shift() ?? 'FAILED', StatusMessage: 'made up' }];
  return [400, { Code: 'ERROR', Message: 'made up' }];
}

const server = await listen(
  createServer(async (request, response) => {
    const text = String((await readBody(request, 100_000)) ?? '');
    const { method, url = '', headers } = request;
    received.push({ method, url, authorization: headers.authorization, body: text && JSON.parse(text) });
    const [status, body] = respond(request);
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }),
);
afterAll(() => server.close());

const credentials = { accessKeyId: 'AKIAMADEUP', secretAccessKey: 'made-up' };
const { config } = new DynamoDBClient({ region: 'eu-central-1', credentials });
const vault = backupVault({ name: 'identity-prod', endpoint: server.url, config, pollMs: 1 });

describe('a vault in AWS Backup', () => {
  test('gives the newest complete copy of a table, under whatever name it was used', async () => {
    const { arn, createdAt } = await vault.newestOf('Wallets');

    expect([arn.split(':').at(-1), createdAt]).toEqual(['new', new Date('2026-11-28T00:00:00Z')]);
    expect(received.map(({ url }) => url)).toEqual([
      '/backup-vaults/identity-prod/recovery-points/?resourceType=DynamoDB',
      '/backup-vaults/identity-prod/recovery-points/?resourceType=DynamoDB&nextToken=a%20b%2Fc',
    ]);
    expect(received[0]?.authorization).toContain('/eu-central-1/backup/aws4_request');
  });

  test('rejects a restore if the copy of a table is missing', async () => {
    await expect(vault.newestOf('Payments')).rejects.toThrow(
      'The vault identity-prod has no copy of the table Payments.',
    );
  });

  test('restores a copy under a new name with its own metadata, and waits until it is complete', async () => {
    received.length = 0;
    await vault.restore(
      await vault.newestOf('Wallets'),
      'Wallets-copy',
      'arn:aws:iam::444455556666:role/restore',
    );

    const started = received.find(({ method }) => method === 'PUT');
    expect(started?.body).toEqual({
      RecoveryPointArn: 'arn:aws:backup:eu-central-1:444455556666:recovery-point:new',
      IamRoleArn: 'arn:aws:iam::444455556666:role/restore',
      ResourceType: 'DynamoDB',
      IdempotencyToken: 'Wallets-copy',
      Metadata: { encryptionType: 'Default', targetTableName: 'Wallets-copy' },
    });
    expect(received.filter(({ url }) => url === '/restore-jobs/job-1')).toHaveLength(2);
  });

  test('reports why a restore failed', async () => {
    const point = { arn: 'arn:made-up', createdAt: new Date(0) };
    await expect(vault.restore(point, 'Wallets-copy', 'role')).rejects.toThrow(
      'The restore of Wallets-copy is FAILED: made up',
    );
  });
});
