import {
  type CloudFormationClient,
  GetTemplateCommand,
  paginateDescribeStacks,
  type Stack,
} from '@aws-sdk/client-cloudformation';
import {
  type CloudWatchLogsClient,
  ListTagsForResourceCommand,
  paginateDescribeLogGroups,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  type CognitoIdentityProviderClient,
  DescribeUserPoolCommand,
  paginateListUserPools,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  DescribeTableCommand,
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  paginateListTables,
} from '@aws-sdk/client-dynamodb';
import {
  DescribeKeyCommand,
  type KMSClient,
  ListResourceTagsCommand,
  paginateListKeys,
} from '@aws-sdk/client-kms';
import {
  DescribeSecretCommand,
  paginateListSecrets,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';
import type { Stage } from '../../infra/config.ts';

/**
 * Finds what belongs to a stage in one account and region. A stack, table or log group must have the stage's name and
 * tags. A secret, key or user pool needs only the tags, because CloudFormation generates its name.
 */

export interface AwsClients {
  readonly cloudFormation: CloudFormationClient;
  readonly dynamoDb: DynamoDBClient;
  readonly secrets: SecretsManagerClient;
  readonly keys: KMSClient;
  readonly logs: CloudWatchLogsClient;
  readonly userPools: CognitoIdentityProviderClient;
}

export interface StageStack {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly isProtected: boolean;
  readonly createdMs: number;
  readonly exports: readonly string[];
  readonly imports: readonly string[];
}

export interface StageResources {
  readonly stacks: readonly StageStack[];
  readonly tables: readonly string[];
  /** The ARNs of secrets whose deletion is not scheduled. */
  readonly secrets: readonly string[];
  /** The IDs of keys whose deletion is not scheduled. */
  readonly keys: readonly string[];
  readonly logGroups: readonly string[];
  /** The IDs of user pools. */
  readonly userPools: readonly string[];
  /** Stacks, tables and log groups that have the stage's name, but not its tags. They do not belong to the stage. */
  readonly untagged: readonly string[];
}

type Tags = Readonly<Record<string, string | undefined>>;

/** Returns whether these are the tags that infra/app.ts gives to all resources of a stage. */
const isTagged = (tags: Tags, stage: Stage) =>
  tags['service'] === 'identity-verification' && tags['stage'] === stage;

const byKey = (tags: readonly { Key?: string | undefined; Value?: string | undefined }[] = []): Tags =>
  Object.fromEntries(tags.map(({ Key = '', Value }) => [Key, Value]));

export async function findResources(clients: AwsClients, stage: Stage): Promise<StageResources> {
  const prefix = `identity-${stage}-`;
  const untagged: string[] = [];
  const own = <T>(found: readonly Named<T>[]): T[] =>
    found.flatMap(({ name, tags, value }) => {
      if (isTagged(tags, stage)) return [value];
      untagged.push(name);
      return [];
    });
  const stacks = own(await stacksNamed(clients.cloudFormation, prefix));
  const tables = own(await tablesNamed(clients.dynamoDb, `${prefix}data-`));
  const logGroups = own(await logGroupsNamed(clients.logs, prefix));
  return {
    stacks: await Promise.all(stacks.map((stack) => describeStack(clients.cloudFormation, stack))),
    tables,
    logGroups,
    secrets: await secretsOf(clients.secrets, stage),
    keys: await keysOf(clients.keys, stage),
    userPools: await userPoolsOf(clients.userPools, stage),
    untagged,
  };
}

interface Named<T> {
  readonly name: string;
  readonly tags: Tags;
  readonly value: T;
}

/** Returns the stacks with this prefix, without nested ones, which are deleted with their parents. */
async function stacksNamed(client: CloudFormationClient, prefix: string): Promise<Named<Stack>[]> {
  const found: Named<Stack>[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {}))
    for (const stack of Stacks)
      if (stack.StackName?.startsWith(prefix) && !stack.ParentId && stack.StackStatus !== 'DELETE_COMPLETE')
        found.push({ name: stack.StackName, tags: byKey(stack.Tags), value: stack });
  return found;
}

async function describeStack(client: CloudFormationClient, stack: Stack): Promise<StageStack> {
  const { StackId: id = '', StackName: name = '', StackStatus: status = '' } = stack;
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName: id }));
  const body = typeof TemplateBody === 'string' ? TemplateBody : JSON.stringify(TemplateBody);
  return {
    id,
    name,
    status,
    isProtected: stack.EnableTerminationProtection === true,
    createdMs: stack.CreationTime?.getTime() ?? 0,
    exports: (stack.Outputs ?? []).flatMap(({ ExportName }) => ExportName ?? []),
    imports: [...body.matchAll(/"Fn::ImportValue":\s*"([^"]+)"/g)].map(([, exported = '']) => exported),
  };
}

async function tablesNamed(client: DynamoDBClient, prefix: string): Promise<Named<string>[]> {
  const found: Named<string>[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {}))
    for (const name of TableNames.filter((table) => table.startsWith(prefix))) {
      const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
      const { Tags } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: Table?.TableArn }));
      found.push({ name, tags: byKey(Tags), value: name });
    }
  return found;
}

async function logGroupsNamed(client: CloudWatchLogsClient, prefix: string): Promise<Named<string>[]> {
  const found: Named<string>[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups(
    { client },
    { logGroupNamePrefix: prefix },
  ))
    for (const { logGroupName: name = '', arn = '' } of logGroups) {
      // DescribeLogGroups returns an ARN that ends in `:*`, which ListTagsForResource does not accept.
      const resourceArn = arn.replace(/:\*$/, '');
      const { tags = {} } = await client.send(new ListTagsForResourceCommand({ resourceArn }));
      found.push({ name, tags, value: name });
    }
  return found;
}

async function secretsOf(client: SecretsManagerClient, stage: Stage): Promise<string[]> {
  const found: string[] = [];
  for await (const { SecretList = [] } of paginateListSecrets({ client }, {}))
    for (const { ARN: SecretId = '', Tags } of SecretList) {
      if (!isTagged(byKey(Tags), stage)) continue;
      // The list may be up to five minutes old.
      const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId }));
      if (!DeletedDate) found.push(SecretId);
    }
  return found;
}

async function userPoolsOf(client: CognitoIdentityProviderClient, stage: Stage): Promise<string[]> {
  const found: string[] = [];
  for await (const { UserPools = [] } of paginateListUserPools({ client, pageSize: 60 }, { MaxResults: 60 }))
    for (const { Id = '' } of UserPools) {
      const { UserPool } = await client.send(new DescribeUserPoolCommand({ UserPoolId: Id }));
      if (isTagged(UserPool?.UserPoolTags ?? {}, stage)) found.push(Id);
    }
  return found;
}

async function keysOf(client: KMSClient, stage: Stage): Promise<string[]> {
  const found: string[] = [];
  for await (const { Keys = [] } of paginateListKeys({ client }, {}))
    for (const { KeyId = '' } of Keys) {
      if (!isTagged(await keyTags(client, KeyId), stage)) continue;
      const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId }));
      if (KeyMetadata?.KeyState !== 'PendingDeletion') found.push(KeyId);
    }
  return found;
}

/**
 * Returns the tags of a key, or none if its policy does not allow the caller to read them. The policy of the stage's
 * key allows it.
 */
async function keyTags(client: KMSClient, KeyId: string): Promise<Tags> {
  try {
    const { Tags = [] } = await client.send(new ListResourceTagsCommand({ KeyId }));
    return Object.fromEntries(Tags.map(({ TagKey = '', TagValue }) => [TagKey, TagValue]));
  } catch (error) {
    if (error instanceof Error && error.name === 'AccessDeniedException') return {};
    throw error;
  }
}
