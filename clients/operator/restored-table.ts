import { setTimeout as wait } from 'node:timers/promises';
import {
  ContinuousBackupsUnavailableException,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  type Tag,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';

export interface Restore {
  readonly source: string;
  readonly target: string;
}

/** How often, and how long after a table has come to life, its backups are asked for. */
const BACKUPS_EVERY_MS = 5_000;
const BACKUPS_TRIES = 60;

/**
 * Asks DynamoDB to restore `source` as `target`, as it was at `instant`. False where `target` is there already: its name
 * has the instant in it, so an earlier run asked for the same.
 */
export async function startRestore(
  client: DynamoDBClient,
  { source, target, instant }: Restore & { readonly instant: Date },
): Promise<boolean> {
  const command = new RestoreTableToPointInTimeCommand({
    SourceTableName: source,
    TargetTableName: target,
    RestoreDateTime: instant,
  });
  try {
    await client.send(command);
    return true;
  } catch (error) {
    if (error instanceof TableAlreadyExistsException) return false;
    throw error;
  }
}

/**
 * Gives an active table what DynamoDB leaves out of a restore: tags, expiry, its own backups, and protection. What an
 * earlier run has given it already is left alone.
 */
export async function complete(client: DynamoDBClient, { source, target }: Restore): Promise<void> {
  const { arn, isProtected } = await describe(client, target);
  const Tags = await tagsOf(client, (await describe(client, source)).arn);
  if (Tags.length > 0) await client.send(new TagResourceCommand({ ResourceArn: arn, Tags }));
  await expireRows(client, target);
  await keepBackups(client, target);
  // The last of all: DynamoDB refuses other changes of a table that is being updated.
  if (!isProtected)
    await client.send(new UpdateTableCommand({ TableName: target, DeletionProtectionEnabled: true }));
}

async function describe(client: DynamoDBClient, TableName: string) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (!Table?.TableArn) throw new Error(`${TableName} has no ARN.`);
  return { arn: Table.TableArn, isProtected: Table.DeletionProtectionEnabled === true };
}

/** Those that AWS has set itself cannot be set by others. */
async function tagsOf(client: DynamoDBClient, ResourceArn: string): Promise<Tag[]> {
  const tags: Tag[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListTagsOfResourceCommand({ ResourceArn, NextToken }));
    tags.push(...(page.Tags ?? []).filter(({ Key }) => !Key?.startsWith('aws:')));
    NextToken = page.NextToken;
  } while (NextToken);
  return tags;
}

/** DynamoDB refuses to switch on what is on. */
async function expireRows(client: DynamoDBClient, TableName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (/^ENABL/.test(TimeToLiveDescription?.TimeToLiveStatus ?? '')) return;
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

/** A table that has just come to life refuses for a while. */
async function keepBackups(client: DynamoDBClient, TableName: string): Promise<void> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  const command = new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification });
  for (let triesLeft = BACKUPS_TRIES; ; triesLeft--) {
    try {
      await client.send(command);
      return;
    } catch (error) {
      if (!(error instanceof ContinuousBackupsUnavailableException) || triesLeft === 0) throw error;
      await wait(BACKUPS_EVERY_MS);
    }
  }
}
