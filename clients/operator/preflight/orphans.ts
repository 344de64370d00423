import {
  CloudFormationClient,
  paginateListStackResources,
  paginateListStacks,
  type StackResourceSummary,
} from '@aws-sdk/client-cloudformation';
import {
  CognitoIdentityProviderClient,
  DeleteUserPoolCommand,
  DescribeUserPoolCommand,
  ListUsersCommand,
  UpdateUserPoolCommand,
} from '@aws-sdk/client-cognito-identity-provider';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ScanCommand,
  UpdateTableCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { CLIENT_SETTINGS, call, callUnless } from './aws-call.ts';
import { fault, ok, type Row } from './rows.ts';
import type { World } from './world.ts';

/**
 * Tables and user pools are protected against deletion, so a first deployment that fails leaves them behind. The next
 * one creates others.
 */

const CHECK = 'orphans';

interface Kind {
  exists(id: string): Promise<boolean>;
  isEmpty(id: string): Promise<boolean>;
  delete(id: string): Promise<void>;
}

type Kinds = Readonly<Record<string, Kind>>;

export async function checkOrphans(world: World): Promise<Row[]> {
  const kinds: Kinds = {
    'AWS::DynamoDB::GlobalTable': tables(world.region),
    'AWS::Cognito::UserPool': userPools(world.region),
  };
  const left = await orphansOf(world, kinds);
  if (left.length === 0) return [ok(CHECK, 'No deleted stack has left tables or people behind.')];
  const names = left.map(([id]) => id).join(', ');
  const { stage } = world.config;
  if (!world.deleteOrphans)
    return [
      fault(
        CHECK,
        `An earlier data stack has left these behind: ${names}.`,
        '# If its first deployment failed, this command deletes them, unless one of them has contents:',
        `npm run preflight -- --stage ${stage} --delete-orphans`,
        '# If the data stack was deleted, they are the data of the stage: follow docs/operate/data-stack-deleted.md.',
      ),
    ];
  for (const [id, kind] of left)
    if (!(await kind.isEmpty(id)))
      return [
        fault(
          CHECK,
          `Nothing was deleted: ${id} has contents, so an earlier data stack was in use.`,
          '# Follow docs/operate/data-stack-deleted.md.',
        ),
      ];
  for (const [id, kind] of left) await kind.delete(id);
  return [ok(CHECK, `Deleted, because all were empty: ${names}.`)];
}

/** Returns what earlier data stacks have left and the current one does not use. CloudFormation lists 90 days. */
async function orphansOf(world: World, kinds: Kinds): Promise<(readonly [string, Kind])[]> {
  const { stacks, region, config } = world;
  const client = new CloudFormationClient({ ...CLIENT_SETTINGS, region });
  const name = stacks.nameOf('data');
  const earlier: string[] = [];
  await call('cloudformation:ListStacks', async () => {
    const StackStatusFilter = ['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED', 'DELETE_COMPLETE'] as const;
    for await (const page of paginateListStacks({ client }, { StackStatusFilter: [...StackStatusFilter] }))
      for (const { StackName, StackId = '' } of page.StackSummaries ?? [])
        if (StackName === name) earlier.push(StackId);
  });
  const left = (await Promise.all(earlier.map((id) => resourcesOf(client, id))))
    .flat()
    .filter(({ ResourceStatus }) => ResourceStatus === 'DELETE_SKIPPED');
  if (left.length === 0) return [];
  const current = await stacks.describe('data');
  const used = new Set([
    ...Object.values(config.restoredTables ?? {}),
    ...(current?.StackStatus?.startsWith('ROLLBACK_') === false
      ? (await resourcesOf(client, name)).map(({ PhysicalResourceId }) => PhysicalResourceId)
      : []),
  ]);
  const found = left.map(async ({ PhysicalResourceId: id = '', ResourceType = '' }) => {
    const kind = kinds[ResourceType];
    return kind && !used.has(id) && (await kind.exists(id)) ? [[id, kind] as const] : [];
  });
  return (await Promise.all(found)).flat();
}

async function resourcesOf(client: CloudFormationClient, StackName: string): Promise<StackResourceSummary[]> {
  return call('cloudformation:ListStackResources', async () => {
    const found: StackResourceSummary[] = [];
    for await (const page of paginateListStackResources({ client }, { StackName }))
      found.push(...(page.StackResourceSummaries ?? []));
    return found;
  });
}

function tables(region: string): Kind {
  const client = new DynamoDBClient({ ...CLIENT_SETTINGS, region });
  return {
    exists: async (TableName) =>
      (await callUnless(['ResourceNotFoundException'], 'dynamodb:DescribeTable', () =>
        client.send(new DescribeTableCommand({ TableName })),
      )) !== undefined,
    isEmpty: async (TableName) => {
      const command = new ScanCommand({ TableName, Limit: 1, ConsistentRead: true });
      return (await call('dynamodb:Scan', () => client.send(command))).Count === 0;
    },
    async delete(TableName) {
      const unprotect = new UpdateTableCommand({ TableName, DeletionProtectionEnabled: false });
      await call('dynamodb:UpdateTable', () => client.send(unprotect));
      // A table that is being updated cannot be deleted.
      await waitUntilTableExists({ client, maxWaitTime: 120 }, { TableName });
      await call('dynamodb:DeleteTable', () => client.send(new DeleteTableCommand({ TableName })));
    },
  };
}

function userPools(region: string): Kind {
  const client = new CognitoIdentityProviderClient({ ...CLIENT_SETTINGS, region });
  return {
    exists: async (UserPoolId) =>
      (await callUnless(['ResourceNotFoundException'], 'cognito-idp:DescribeUserPool', () =>
        client.send(new DescribeUserPoolCommand({ UserPoolId })),
      )) !== undefined,
    isEmpty: async (UserPoolId) => {
      const command = new ListUsersCommand({ UserPoolId, Limit: 1 });
      return (await call('cognito-idp:ListUsers', () => client.send(command))).Users?.length === 0;
    },
    async delete(UserPoolId) {
      const unprotect = new UpdateUserPoolCommand({ UserPoolId, DeletionProtection: 'INACTIVE' });
      await call('cognito-idp:UpdateUserPool', () => client.send(unprotect));
      await call('cognito-idp:DeleteUserPool', () => client.send(new DeleteUserPoolCommand({ UserPoolId })));
    },
  };
}
