import { setTimeout as wait } from 'node:timers/promises';
import {
  ContinuousBackupsUnavailableException,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  RestoreTableToPointInTimeCommand,
  type StreamSpecification,
  TableAlreadyExistsException,
  type Tag,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';

interface Restore {
  readonly source: string;
  readonly target: string;
}

const MAX_WAIT_SECONDS = 3_600;
const BACKUPS_RETRY_MS = 5_000;
const BACKUPS_RETRIES = 60;

/**
 * Starts restoring `source` as a new table `target`, as it was at `instant`. Returns false if `target` already exists:
 * its name contains the instant, so an earlier run started the same restore.
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
 * Configures what DynamoDB does not restore: tags, time to live and a stream if the source has them, point-in-time
 * recovery and deletion protection. The table must be active. Running it again is harmless. Throws if the table and the source are
 * encrypted with different keys: DynamoDB restores the encryption settings that the source has when the restore starts.
 */
export async function completeRestore(client: DynamoDBClient, { source, target }: Restore): Promise<void> {
  const { arn, isProtected, keyArn } = await describe(client, target);
  const original = await describe(client, source);
  if (keyArn !== original.keyArn)
    throw new Error(
      `The restored table ${target} is not encrypted with the key of ${source}. Delete ${target}, and restore again.`,
    );
  const Tags = await tagsOf(client, original.arn);
  if (Tags.length > 0) await client.send(new TagResourceCommand({ ResourceArn: arn, Tags }));
  if (await expires(client, source)) await enableTimeToLive(client, target);
  if (original.stream) await enableStream(client, target, original.stream);
  await enableBackups(client, target);
  // This comes last, because DynamoDB rejects other changes while a table is being updated.
  if (!isProtected)
    await client.send(new UpdateTableCommand({ TableName: target, DeletionProtectionEnabled: true }));
}

async function describe(client: DynamoDBClient, TableName: string) {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (!Table?.TableArn) throw new Error(`DynamoDB returned no ARN for the table ${TableName}.`);
  const {
    TableArn: arn,
    DeletionProtectionEnabled,
    SSEDescription,
    StreamSpecification,
    LatestStreamArn,
  } = Table;
  return {
    arn,
    isProtected: DeletionProtectionEnabled === true,
    keyArn: SSEDescription?.KMSMasterKeyArn,
    stream: StreamSpecification?.StreamEnabled ? StreamSpecification : undefined,
    streamArn: LatestStreamArn,
  };
}

/** Returns the ARN of a table's stream. Throws if it has none. */
export async function streamOf(client: DynamoDBClient, TableName: string): Promise<string> {
  const { streamArn } = await describe(client, TableName);
  if (!streamArn) throw new Error(`The table ${TableName} has no stream.`);
  return streamArn;
}

/** Does nothing if the table has a stream. Waits until the table accepts other changes. */
async function enableStream(
  client: DynamoDBClient,
  TableName: string,
  StreamSpecification: StreamSpecification,
): Promise<void> {
  if ((await describe(client, TableName)).stream) return;
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  await waitUntilTableExists({ client, maxWaitTime: MAX_WAIT_SECONDS, maxDelay: 30 }, { TableName });
}

/** Returns the tags of a resource, except those that only AWS can set. */
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

/** Does nothing if time to live is enabled, because DynamoDB rejects a second request to enable it. */
async function enableTimeToLive(client: DynamoDBClient, TableName: string): Promise<void> {
  if (await expires(client, TableName)) return;
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

/** Whether time to live is enabled. AuditTrail and Payments do not use it. */
async function expires(client: DynamoDBClient, TableName: string): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  return /^ENABL/.test(TimeToLiveDescription?.TimeToLiveStatus ?? '');
}

/** Retries, because DynamoDB does not enable point-in-time recovery of a new table at once. */
async function enableBackups(client: DynamoDBClient, TableName: string): Promise<void> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  const command = new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification });
  for (let retriesLeft = BACKUPS_RETRIES; ; retriesLeft--) {
    try {
      await client.send(command);
      return;
    } catch (error) {
      if (!(error instanceof ContinuousBackupsUnavailableException) || retriesLeft === 0) throw error;
      await wait(BACKUPS_RETRY_MS);
    }
  }
}
