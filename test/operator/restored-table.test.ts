import {
  ContinuousBackupsUnavailableException,
  DynamoDBClient,
  TableAlreadyExistsException,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { completeRestore, startRestore } from '../../clients/operator/restored-table.ts';

const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/made-up';
const TABLES = { source: 'Wallets', target: 'Wallets-at-noon' };
const OWN_TAG = { Key: 'service', Value: 'identity-verification' };
const AWS_TAG = { Key: 'aws:cloudformation:stack-name', Value: 'identity-prod-data' };

const STREAM = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

type Input = { readonly TableName?: string; readonly NextToken?: string };

/** Returns a test double for a restored table, and its changes. `npm run deploy:emulator` restores tables in moto. */
function restoredTable(
  state: {
    isProtected?: boolean;
    expires?: boolean;
    keepsAllRows?: true;
    hasStream?: true;
    error?: Error;
    keyArn?: string;
  } = {},
) {
  const written: { command: string; input: object }[] = [];
  const outputs: Record<string, (input: Input) => object> = {
    DescribeTableCommand: ({ TableName }) => ({
      Table: {
        TableArn: `arn:${TableName}`,
        TableStatus: 'ACTIVE',
        ...(state.hasStream && TableName === 'Wallets' && { StreamSpecification: STREAM }),
        DeletionProtectionEnabled: TableName === 'Wallets' || state.isProtected,
        SSEDescription: { KMSMasterKeyArn: TableName === 'Wallets' ? KEY : (state.keyArn ?? KEY) },
      },
    }),
    DescribeTimeToLiveCommand: ({ TableName }) => {
      const expires = TableName === 'Wallets' ? !state.keepsAllRows : state.expires;
      return { TimeToLiveDescription: { TimeToLiveStatus: expires ? 'ENABLING' : 'DISABLED' } };
    },
    ListTagsOfResourceCommand: ({ NextToken }) =>
      NextToken ? { Tags: [AWS_TAG] } : { Tags: [OWN_TAG], NextToken: 'more' },
  };
  const client = new DynamoDBClient({ region: 'none' });
  client.middlewareStack.add(
    (_, { commandName = '' }) =>
      ({ input }) => {
        const output = outputs[commandName];
        if (!output) written.push({ command: commandName, input });
        if (!output && state.error) return Promise.reject(state.error);
        return Promise.resolve({ output: { $metadata: {}, ...output?.(input as Input) }, response: {} });
      },
    { step: 'initialize' },
  );
  return { client, written };
}

const errorFields = { message: 'made up', $metadata: {} };

describe('a restored table', () => {
  test('receives the tags, expiry, backups and finally the protection that a restore leaves out', async () => {
    const { client, written } = restoredTable();

    await completeRestore(client, TABLES);

    const TableName = 'Wallets-at-noon';
    expect(written).toEqual([
      { command: 'TagResourceCommand', input: { ResourceArn: 'arn:Wallets-at-noon', Tags: [OWN_TAG] } },
      {
        command: 'UpdateTimeToLiveCommand',
        input: { TableName, TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true } },
      },
      {
        command: 'UpdateContinuousBackupsCommand',
        input: { TableName, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      },
      { command: 'UpdateTableCommand', input: { TableName, DeletionProtectionEnabled: true } },
    ]);
  });

  test('keeps the expiry and protection that an earlier run has set', async () => {
    const { client, written } = restoredTable({ isProtected: true, expires: true });

    await completeRestore(client, TABLES);

    const commands = written.map(({ command }) => command);
    expect(commands).toEqual(['TagResourceCommand', 'UpdateContinuousBackupsCommand']);
  });

  test('gets no expiry if the original has none', async () => {
    const { client, written } = restoredTable({ keepsAllRows: true });

    await completeRestore(client, TABLES);

    const commands = written.map(({ command }) => command);
    expect(commands).toEqual(['TagResourceCommand', 'UpdateContinuousBackupsCommand', 'UpdateTableCommand']);
  });

  test('gets a stream if the original has one', async () => {
    const { client, written } = restoredTable({ keepsAllRows: true, hasStream: true });

    await completeRestore(client, TABLES);

    const input = { TableName: TABLES.target, StreamSpecification: STREAM };
    expect(written).toContainEqual({ command: 'UpdateTableCommand', input });
  });

  test('must be encrypted with the key of the original', async () => {
    const { client, written } = restoredTable({ keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/another' });

    await expect(completeRestore(client, TABLES)).rejects.toThrow(
      'The restored table Wallets-at-noon is not encrypted with the key of Wallets.',
    );
    expect(written).toEqual([]);
  });
});

test('a table that AWS Backup has restored gets the key of the original', async () => {
  const { client, written } = restoredTable({ keyArn: 'arn:aws:kms:eu-west-1:111122223333:key/another' });

  await completeRestore(client, { ...TABLES, setsKey: true });

  const SSESpecification = { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: KEY };
  const input = { TableName: TABLES.target, SSESpecification };
  expect(written[0]).toEqual({ command: 'UpdateTableCommand', input });
});

describe('a restore', () => {
  const instant = new Date('2026-11-21T12:00:00Z');

  test('is requested for the given instant', async () => {
    const { client, written } = restoredTable();

    expect(await startRestore(client, { ...TABLES, instant })).toBe(true);
    const input = {
      SourceTableName: 'Wallets',
      TargetTableName: 'Wallets-at-noon',
      RestoreDateTime: instant,
    };
    expect(written).toEqual([{ command: 'RestoreTableToPointInTimeCommand', input }]);
  });

  test('continues if an earlier run has requested it', async () => {
    const { client } = restoredTable({ error: new TableAlreadyExistsException(errorFields) });

    expect(await startRestore(client, { ...TABLES, instant })).toBe(false);
  });

  test('fails if DynamoDB rejects it', async () => {
    const error = new ContinuousBackupsUnavailableException(errorFields);
    const { client } = restoredTable({ error });

    await expect(startRestore(client, { ...TABLES, instant })).rejects.toBe(error);
  });
});
