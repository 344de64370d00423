import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { listen, readBody } from '../../../infra/local/http-server.ts';
import { run } from '../../support/programs.ts';
import { ROOT } from './assemblies.ts';
import type { Deployment } from './check-deployment.ts';
import type { Stacks } from './stacks.ts';

const TABLES = ['ApiKeys', 'Wallets', 'VerificationLogs', 'AuditTrail', 'Approvals', 'Payments', 'Console'];
const ROW = { pk: { S: 'REHEARSAL' }, sk: { S: '1' } };

/** Restores the newest copies of a vault (docs/operate/restore-other-account.md). A test double replaces AWS Backup. */
export async function checkCopies(deployment: Deployment, stacks: Stacks): Promise<void> {
  const { account, region, environment, settings, say } = deployment;
  const client = new DynamoDBClient(settings);
  const names = await Promise.all(
    TABLES.map((name) => stacks.outputOf('identity-prod-data', `${name}Table`)),
  );
  const console = names.at(-1) ?? '';
  await client.send(new PutItemCommand({ TableName: console, Item: ROW }));
  const backup = await startBackup(client, `arn:aws:dynamodb:${region}:${account}:table/`, names);
  try {
    const program = [
      join(ROOT, 'clients/operator/restore.ts'),
      '--stage',
      'prod',
      '--from-vault',
      'identity-prod',
    ];
    const env = { ...environment, AWS_ENDPOINT_URL_BACKUP: backup.url };
    const { code, output } = await run(process.execPath, program, { cwd: ROOT, env });
    assert.equal(code, 0, output);
    const restored = JSON.parse(/^restoredTables: (.*)$/m.exec(output)?.[1] ?? '') as Record<string, string>;
    assert.deepEqual(Object.keys(restored).sort(), [...TABLES, 'AuditTrailStream'].sort());
    assert.match(restored['Console'] ?? '', /-copy-20261128T010000000Z$/);
    const { Item } = await client.send(new GetItemCommand({ TableName: restored['Console'], Key: ROW }));
    assert.deepEqual(Item, ROW);
    say('the newest copies of a vault are restored as new tables, with the settings of those in use');
  } finally {
    await backup.close();
  }
}

/** Restores what a table contains now, under the name of a copy. */
function startBackup(client: DynamoDBClient, prefix: string, names: readonly string[]) {
  const RecoveryPoints = names.map((name) => ({
    RecoveryPointArn: `arn:aws:backup:::recovery-point:${name}`,
    ResourceArn: `${prefix}${name}`,
    CreationDate: Date.parse('2026-11-28T01:00:00Z') / 1_000,
    Status: 'COMPLETED',
  }));
  const server = createServer(async (request, response) => {
    const job = String((await readBody(request, 10_000)) ?? '');
    if (job) {
      const { RecoveryPointArn, Metadata } = JSON.parse(job);
      const SourceTableName = RecoveryPointArn.split(':').at(-1);
      const target = { TargetTableName: Metadata.targetTableName, RestoreDateTime: new Date() };
      await client.send(new RestoreTableToPointInTimeCommand({ SourceTableName, ...target }));
    }
    const body = { RecoveryPoints, RestoreMetadata: {}, RestoreJobId: '1', Status: 'COMPLETED' };
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  return listen(server);
}
