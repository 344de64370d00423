import {
  ContinuousBackupsUnavailableException,
  DynamoDBClient,
  TableAlreadyExistsException,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { completeRestore, startRestore } from '../../clients/operator/restored-table.ts';

const TABLES = { source: 'Wallets', target: 'Wallets-at-noon' };
const OWN_TAG = { Key: 'service', Value: 'identity-verification' };
const AWS_TAG = { Key: 'aws:cloudformation:stack-name', Value: 'identity-prod-data' };

type Asked = { readonly TableName?: string; readonly NextToken?: string };

/** A restored table, without DynamoDB: `npm run deploy:emulator` has one. */
function restoredTable(state: { isProtected?: boolean; expires?: boolean; refuses?: Error } = {}) {
  const written: { command: string; input: object }[] = [];
  const answers: Record<string, (asked: Asked) => object> = {
    DescribeTableCommand: ({ TableName }) => ({
      Table: {
        TableArn: `arn:${TableName}`,
        DeletionProtectionEnabled: TableName === 'Wallets' || state.isProtected,
      },
    }),
    DescribeTimeToLiveCommand: () => ({
      TimeToLiveDescription: { TimeToLiveStatus: state.expires ? 'ENABLING' : 'DISABLED' },
    }),
    ListTagsOfResourceCommand: ({ NextToken }) =>
      NextToken ? { Tags: [AWS_TAG] } : { Tags: [OWN_TAG], NextToken: 'more' },
  };
  const client = new DynamoDBClient({ region: 'none' });
  client.middlewareStack.add(
    (_, { commandName = '' }) =>
      ({ input }) => {
        const answer = answers[commandName];
        if (!answer) written.push({ command: commandName, input });
        if (!answer && state.refuses) return Promise.reject(state.refuses);
        return Promise.resolve({ output: { $metadata: {}, ...answer?.(input as Asked) }, response: {} });
      },
    { step: 'initialize' },
  );
  return { client, written };
}

const refusal = { message: 'no', $metadata: {} };

describe('a table that was restored', () => {
  test('gets the tags, expiry, backups and, last of all, the protection that a restore leaves out', async () => {
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

  test('is not changed again in what an earlier run has given it', async () => {
    const { client, written } = restoredTable({ isProtected: true, expires: true });

    await completeRestore(client, TABLES);

    const commands = written.map(({ command }) => command);
    expect(commands).toEqual(['TagResourceCommand', 'UpdateContinuousBackupsCommand']);
  });
});

describe('a restore', () => {
  const instant = new Date('2026-11-21T12:00:00Z');

  test('is asked for at the instant', async () => {
    const { client, written } = restoredTable();

    expect(await startRestore(client, { ...TABLES, instant })).toBe(true);
    const input = {
      SourceTableName: 'Wallets',
      TargetTableName: 'Wallets-at-noon',
      RestoreDateTime: instant,
    };
    expect(written).toEqual([{ command: 'RestoreTableToPointInTimeCommand', input }]);
  });

  test('goes on where an earlier run has asked for it', async () => {
    const { client } = restoredTable({ refuses: new TableAlreadyExistsException(refusal) });

    expect(await startRestore(client, { ...TABLES, instant })).toBe(false);
  });

  test('fails where DynamoDB refuses it', async () => {
    const refuses = new ContinuousBackupsUnavailableException(refusal);
    const { client } = restoredTable({ refuses });

    await expect(startRestore(client, { ...TABLES, instant })).rejects.toBe(refuses);
  });
});
