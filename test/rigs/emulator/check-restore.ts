import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  TagResourceCommand,
} from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StageConfig } from '../../../infra/config.ts';
import { shardKey } from '../../../shared/core/keys.ts';
import type { Deployment } from './check-deployment.ts';
import { versionOf } from './lambda-versions.ts';
import { reconcile, restore, topUp, viewWallet } from './operate.ts';
import type { Stacks } from './stacks.ts';

/** DynamoDB restores to whole seconds, so nothing is written within one second of the restore time. */
const SECOND_MS = 1_100;

type RestoredTables = NonNullable<StageConfig['restoredTables']>;

/**
 * Runs the procedure in docs/operate/restore.md, for a damaged wallet. `organisation` has 25 credits, from one
 * top-up. Returns the tables in use afterwards, and the directory of the app that names them.
 */
export async function checkRestore(deployment: Deployment, stacks: Stacks, organisation: string) {
  const { say } = deployment;
  const client = new DynamoDBClient(deployment.settings);
  const own = await stacks.outputOf('identity-prod-data', 'WalletsTable');
  await tag(client, own);

  await wait(SECOND_MS);
  const restoreTime = new Date();
  await wait(SECOND_MS);
  await topUp(deployment, organisation, 7, 'after-the-restore-time');
  await damage(client, own, organisation);
  const damaged = await viewWallet(deployment, organisation);
  assert.equal(damaged.available, 999);
  assert.equal((await reconcile(deployment)).code, 1);
  await wait(SECOND_MS);

  const tooLate = await restore(deployment, new Date());
  assert.equal(tooLate.code, 1, tooLate.output);
  assert.match(tooLate.output, /[1-9]\d* differences?\n/);
  const inTime = await restore(deployment, restoreTime);
  assert.equal(inTime.code, 0, inTime.output);
  assert.match(inTime.output, / 0 differences\n/);
  const again = await restore(deployment, restoreTime);
  assert.equal(again.code, 0, again.output);
  say(
    'a restore to a time after the damage has differences; one to a time before it has none, and can be repeated',
  );

  const restoredTables: RestoredTables = JSON.parse(/^restoredTables: (.*)$/m.exec(inTime.output)?.[1] ?? '');
  const { AuditTrailStream, ...tables } = restoredTables;
  for (const [name, table] of Object.entries(tables))
    await checkSettings(client, table, !['AuditTrail', 'Payments'].includes(name));
  assert.match(AuditTrailStream, new RegExp(`:table/${tables.AuditTrail}/stream/`));
  await checkIndexes(client, own, restoredTables.Wallets);
  assert.deepEqual(await viewWallet(deployment, organisation), damaged);
  say('restored tables have expiry, backups, protection, tags and indexes; those in use do not change');

  const switched = await deployment.change('switched', { settings: { restoredTables } });
  await stacks.deploy(switched);
  const live = await versionOf(deployment, 'api-nin-basic', 'live');
  assert.equal(live?.Version, '5');
  assert.equal(live.Environment.Variables['WALLETS_TABLE'], restoredTables.Wallets);
  assert.equal(live.Environment.Variables['API_KEYS_TABLE'], restoredTables.ApiKeys);
  assert.equal(await stacks.outputOf('identity-prod-data', 'AuditTrailTable'), restoredTables.AuditTrail);
  assert.equal(live.Environment.Variables['VERIFICATION_LOGS_TABLE'], restoredTables.VerificationLogs);
  assert.deepEqual(await viewWallet(deployment, organisation), {
    available: 25,
    closingBalance: 25,
    references: [`first-${organisation}`],
  });
  assert.equal((await reconcile(deployment)).code, 0);
  await topUp(deployment, organisation, 7, 'after-the-restore-time');
  assert.equal((await viewWallet(deployment, organisation)).available, 32);
  say('after the switch, functions and the CLI use the restored tables');
  return { switched, restoredTables };
}

/** Tags a table. A restore must keep tags, whether the stack or a person set them. */
async function tag(client: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  const Tags = [{ Key: 'service', Value: 'identity-verification' }];
  await client.send(new TagResourceCommand({ ResourceArn: Table?.TableArn, Tags }));
}

/** Damages a wallet as a bug might: no row explains its balance. */
async function damage(client: DynamoDBClient, TableName: string, organisationId: string): Promise<void> {
  const Key = shardKey({ env: 'live', organisationId }, 0);
  const command = new UpdateCommand({
    TableName,
    Key,
    UpdateExpression: 'SET available = :wrong',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':wrong': 999 },
  });
  await DynamoDBDocumentClient.from(client).send(command);
}

async function checkSettings(client: DynamoDBClient, TableName: string, expires: boolean): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  assert.equal(TimeToLiveDescription?.TimeToLiveStatus, expires ? 'ENABLED' : 'DISABLED');
  assert.equal(TimeToLiveDescription?.AttributeName, expires ? 'expiresAt' : undefined);
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName }),
  );
  const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  assert.equal(recovery?.PointInTimeRecoveryStatus, 'ENABLED');
  assert.equal(recovery.RecoveryPeriodInDays, 35);
  await assert.rejects(client.send(new DeleteTableCommand({ TableName })), /protect/i);
}

async function checkIndexes(client: DynamoDBClient, source: string, target: string): Promise<void> {
  const [from, to] = await Promise.all(
    [source, target].map(async (TableName) => {
      const { Table } = await client.send(new DescribeTableCommand({ TableName }));
      const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
      const indexes = Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      }));
      // moto stores a tag twice if it is set twice.
      const tags = new Map(Tags?.map(({ Key, Value }) => [Key, Value]));
      return { indexes, tags, billing: Table?.BillingModeSummary?.BillingMode };
    }),
  );
  assert.equal(from?.indexes?.length, 2);
  assert.equal(from?.tags.get('service'), 'identity-verification');
  assert.deepEqual(to, from);
}
