import {
  type CloudFormationClient,
  DeleteStackCommand,
  paginateDescribeStackEvents,
  UpdateTerminationProtectionCommand,
  waitUntilStackDeleteComplete,
} from '@aws-sdk/client-cloudformation';
import { DeleteLogGroupCommand } from '@aws-sdk/client-cloudwatch-logs';
import {
  type CognitoIdentityProviderClient,
  DeleteUserPoolCommand,
  UpdateUserPoolCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  UpdateTableCommand,
  waitUntilTableExists,
  waitUntilTableNotExists,
} from '@aws-sdk/client-dynamodb';
import { ScheduleKeyDeletionCommand } from '@aws-sdk/client-kms';
import { DeleteSecretCommand } from '@aws-sdk/client-secrets-manager';
import type { AwsClients, StageResources, StageStack } from './stage-resources.ts';

/** Deletes the resources of a stage. Each step can be repeated, so an interrupted deletion can be continued. */

/** The shortest period that Secrets Manager and KMS accept. Until it ends, the deletion can be cancelled. */
export const RECOVERY_DAYS = 7;

const MAX_WAIT_SECONDS = 3_600;
const WAIT = { maxWaitTime: MAX_WAIT_SECONDS, minDelay: 2, maxDelay: 15 };

type Say = (line: string) => void;

/**
 * Throws if CloudFormation is creating or changing a stack. Accepts stacks that are being deleted, and those for which
 * there is only a change set (REVIEW_IN_PROGRESS).
 */
export function rejectBusyStacks(stacks: readonly StageStack[]): void {
  const busy = stacks.filter(
    ({ status }) => /_IN_PROGRESS$/.test(status) && !/^(DELETE|REVIEW)_IN_PROGRESS$/.test(status),
  );
  if (busy.length === 0) return;
  const states = busy.map(({ name, status }) => `${name} (${status})`).join(', ');
  throw new Error(
    `CloudFormation is working on ${states}. Wait until it has finished, and run the command again. Nothing was deleted.`,
  );
}

/**
 * Returns the stacks in the order of their deletion: newer ones first, and each before the stacks that it imports from.
 */
export function deletionOrder(stacks: readonly StageStack[]): StageStack[] {
  const left = stacks.toSorted((one, other) => other.createdMs - one.createdMs);
  const order: StageStack[] = [];
  while (left.length > 0) {
    const needed = new Set(left.flatMap(({ imports }) => imports));
    const free = left.findIndex(({ exports }) => !exports.some((name) => needed.has(name)));
    // CloudFormation does not permit cycles. If there were one, CloudFormation itself would reject the deletion.
    order.push(...left.splice(Math.max(free, 0), 1));
  }
  return order;
}

/** Deletes the stacks one after another. Throws with CloudFormation's reasons if one cannot be deleted. */
export async function deleteStacks(
  client: CloudFormationClient,
  stacks: readonly StageStack[],
  say: Say,
): Promise<void> {
  for (const { id, name, isProtected } of deletionOrder(stacks)) {
    if (isProtected)
      await client.send(
        new UpdateTerminationProtectionCommand({ StackName: name, EnableTerminationProtection: false }),
      );
    say(`Deleting the stack ${name}`);
    await client.send(new DeleteStackCommand({ StackName: name }));
    try {
      await waitUntilStackDeleteComplete({ client, ...WAIT }, { StackName: id });
    } catch {
      throw new Error(await stackFailure(client, id, name));
    }
  }
}

async function stackFailure(client: CloudFormationClient, id: string, name: string): Promise<string> {
  const reasons: string[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: id }))
    for (const { ResourceStatus, LogicalResourceId, ResourceStatusReason } of StackEvents)
      if (ResourceStatus === 'DELETE_FAILED') reasons.push(`${LogicalResourceId}: ${ResourceStatusReason}`);
  const causes = reasons.length === 0 ? 'AWS gave no reason' : reasons.join('; ');
  return `The stack ${name} was not deleted: ${causes}. Fix the cause, and run the command again to continue.`;
}

/** Deletes the resources that remain after the deletion of the stacks. */
export async function deleteRetained(
  { dynamoDb, secrets, keys, logs, userPools }: AwsClients,
  found: StageResources,
  say: Say,
): Promise<void> {
  await Promise.all(
    found.tables.map(async (table) => {
      await deleteTable(dynamoDb, table);
      say(`Deleted the table ${table}`);
    }),
  );
  for (const SecretId of found.secrets) {
    await secrets.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays: RECOVERY_DAYS }));
    say(`Scheduled the deletion of the secret ${SecretId}`);
  }
  // Keys come after the tables and secrets that they protect.
  for (const KeyId of found.keys) {
    await keys.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: RECOVERY_DAYS }));
    say(`Scheduled the deletion of the key ${KeyId}`);
  }
  for (const id of found.userPools) {
    await deleteUserPool(userPools, id);
    say(`Deleted the user pool ${id}`);
  }
  for (const logGroupName of found.logGroups) {
    await logs.send(new DeleteLogGroupCommand({ logGroupName }));
    say(`Deleted the log group ${logGroupName}`);
  }
}

/** Deletes a user pool. Ending its protection resets other settings of the pool, which no longer matter. */
async function deleteUserPool(client: CognitoIdentityProviderClient, UserPoolId: string): Promise<void> {
  await client.send(new UpdateUserPoolCommand({ UserPoolId, DeletionProtection: 'INACTIVE' }));
  await client.send(new DeleteUserPoolCommand({ UserPoolId }));
}

async function deleteTable(client: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (Table?.TableStatus !== 'DELETING') {
    if (Table?.DeletionProtectionEnabled)
      await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false }));
    // DynamoDB rejects the deletion of a table that is being updated.
    await waitUntilTableExists({ client, ...WAIT }, { TableName });
    await client.send(new DeleteTableCommand({ TableName }));
  }
  await waitUntilTableNotExists({ client, ...WAIT }, { TableName });
}
