import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { startDynamoDbLocal } from '../../infra/local/aws/dynamodb-local.ts';
import { type ProviderKey, registryStateKey } from '../../shared/core/keys.ts';
import { tableWithoutIndexes } from '../ledger/storage/create-tables.ts';

export interface StateTable {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  /** Returns the state's row, or undefined if it was never written. */
  rowOf(key: ProviderKey): Promise<Record<string, unknown> | undefined>;
  /** Decides which updates through `client` fail. By default, none do. */
  failWrites: (key: Record<string, unknown>) => boolean;
  /** Returns the names of the commands that were sent through `client` since the last call. */
  commands(): string[];
  close(): Promise<void>;
}

export async function openStateTable(): Promise<StateTable> {
  const directory = mkdtempSync(join(tmpdir(), 'registry-state-'));
  const database = await startDynamoDbLocal({ logFile: join(directory, 'dynamodb.log') });
  const settings = {
    endpoint: database.endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: database.accessKeyId, secretAccessKey: 'local' },
  };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
  const observer = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
  const tableName = 'ApiKeys';
  await observer.send(new CreateTableCommand(tableWithoutIndexes(tableName)));
  let sent: string[] = [];
  client.middlewareStack.add(
    (next, context) => async (request) => {
      sent.push(String(context.commandName));
      const { Key } = request.input as { Key?: Record<string, unknown> };
      if (context.commandName === 'UpdateItemCommand' && Key && table.failWrites(Key))
        throw new Error('The write fails, as the test wants.');
      return next(request);
    },
    { step: 'initialize' },
  );
  const table: StateTable = {
    client,
    tableName,
    failWrites: () => false,
    async rowOf(key) {
      const { Item } = await observer.send(
        new GetCommand({ TableName: tableName, Key: registryStateKey(key), ConsistentRead: true }),
      );
      return Item;
    },
    commands() {
      const before = sent;
      sent = [];
      return before;
    },
    async close() {
      client.destroy();
      observer.destroy();
      await database.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return table;
}
