import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { startDynamoDbLocal } from '../../infra/local/aws/dynamodb-local.ts';
import { type ProviderKey, registryStateKey } from '../../shared/core/keys.ts';

/** The table ApiKeys in DynamoDB Local, for what instances share about registries. */
export interface StateTables {
  readonly client: DynamoDBDocumentClient;
  readonly tableName: string;
  /** The row as it stands; undefined where nobody ever wrote. */
  rowOf(place: ProviderKey): Promise<Record<string, unknown> | undefined>;
  /** Commands that were sent through `client` since the last call, by name. */
  commands(): string[];
  close(): Promise<void>;
}

export async function openStateTables(): Promise<StateTables> {
  const directory = mkdtempSync(join(tmpdir(), 'registry-state-'));
  const database = await startDynamoDbLocal({ logFile: join(directory, 'dynamodb.log') });
  const settings = {
    endpoint: database.endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: database.accessKeyId, secretAccessKey: 'local' },
  };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
  const onlooker = DynamoDBDocumentClient.from(new DynamoDBClient(settings));
  const tableName = 'ApiKeys';
  await onlooker.send(
    new CreateTableCommand({
      TableName: tableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk'].map((name) => ({
        AttributeName: name,
        AttributeType: 'S' as const,
      })),
    }),
  );
  let sent: string[] = [];
  client.middlewareStack.add(
    (next, context) => async (request) => {
      sent.push(String(context.commandName));
      return next(request);
    },
    { step: 'initialize' },
  );
  return {
    client,
    tableName,
    async rowOf(place) {
      const key = registryStateKey(place);
      const answer = await onlooker.send(
        new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }),
      );
      return answer.Item;
    },
    commands() {
      const before = sent;
      sent = [];
      return before;
    },
    async close() {
      client.destroy();
      onlooker.destroy();
      await database.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
