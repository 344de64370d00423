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

/** As `source` was at `instant`. False if `target` exists: its name contains the instant. */
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

export async function tableExists(client: DynamoDBClient, TableName: string): Promise<boolean> {
  return describe(client, TableName).then(
    () => true,
    (error: Error) => {
      if (error.name === 'ResourceNotFoundException') return false;
      throw error;
    },
  );
}

/**
 * What DynamoDB does not restore: tags, time to live, stream, point-in-time recovery and deletion protection. The table
 * must be active. Can be repeated. A copy in a vault also gets the key of the source. Otherwise throws if the keys
 * differ: DynamoDB restores the encryption that the source has when the restore starts.
 */
export async function completeRestore(
  client: DynamoDBClient,
  { source, target, setsKey }: Restore & { readonly setsKey?: boolean },
): Promise<void> {
  const { arn, isProtected, keyArn } = await describe(client, target);
  const original = await describe(client, source);
  if (setsKey && original.keyArn && keyArn !== original.keyArn) await setKey(client, target, original.keyArn);
  else if (keyArn !== original.keyArn)
    throw new Error(
      `The restored table ${target} is not encrypted with the key of ${source}. Delete ${target}, and restore again.`,
    );
  const Tags = await tagsOf(client, original.arn);
  if (Tags.length > 0) await client.send(new TagResourceCommand({ ResourceArn: arn, Tags }));
  if (await expires(client, source)) await enableTimeToLive(client, target);
  if (original.stream) await enableStream(client, target, original.stream);
  await enableBackups(client, target);
  // Last, because DynamoDB rejects other changes during an update.
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

/** Throws if there is none. */
export async function streamOf(client: DynamoDBClient, TableName: string): Promise<string> {
  const { streamArn } = await describe(client, TableName);
  if (!streamArn) throw new Error(`The table ${TableName} has no stream.`);
  return streamArn;
}

/** Waits until the table accepts other changes. */
async function setKey(client: DynamoDBClient, TableName: string, KMSMasterKeyId: string): Promise<void> {
  const SSESpecification = { Enabled: true, SSEType: 'KMS', KMSMasterKeyId } as const;
  await client.send(new UpdateTableCommand({ TableName, SSESpecification }));
  await waitUntilTableExists({ client, maxWaitTime: MAX_WAIT_SECONDS, maxDelay: 30 }, { TableName });
}

/** Waits until the table accepts other changes. */
async function enableStream(
  client: DynamoDBClient,
  TableName: string,
  StreamSpecification: StreamSpecification,
): Promise<void> {
  if ((await describe(client, TableName)).stream) return;
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
  await waitUntilTableExists({ client, maxWaitTime: MAX_WAIT_SECONDS, maxDelay: 30 }, { TableName });
}

/** Without those of AWS. */
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

/** DynamoDB rejects a second request to enable it. */
async function enableTimeToLive(client: DynamoDBClient, TableName: string): Promise<void> {
  if (await expires(client, TableName)) return;
  const TimeToLiveSpecification = { AttributeName: 'expiresAt', Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

/** AuditTrail and Payments do not use it. */
async function expires(client: DynamoDBClient, TableName: string): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  return /^ENABL/.test(TimeToLiveDescription?.TimeToLiveStatus ?? '');
}

/** DynamoDB does not enable it at once on a new table. */
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
